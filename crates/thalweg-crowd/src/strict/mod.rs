#[cfg_attr(
    not(test),
    expect(
        dead_code,
        reason = "its caller, the resolver of strict mode, does not stand yet"
    )
)]
mod search;
