//! The slope table of the sources, and what a table refuses.

use thalweg_core::cost::{SlopeBand, SlopeBands, SlopeCost, SlopeError};

fn band(below: f64, extra: u8) -> SlopeBand {
    SlopeBand { below, extra }
}

#[test]
fn the_default_bands_are_those_of_the_sources_and_half_open() {
    let bands = SlopeBands::default();
    let expected = [
        (0.0, SlopeCost::Extra(0)),
        (-0.0, SlopeCost::Extra(0)),
        (0.299_999, SlopeCost::Extra(0)),
        (0.3, SlopeCost::Extra(3)),
        (0.45, SlopeCost::Extra(3)),
        (0.6, SlopeCost::Extra(8)),
        (0.999_999, SlopeCost::Extra(8)),
        (1.0, SlopeCost::Impassable),
        (57.3, SlopeCost::Impassable),
        (f64::INFINITY, SlopeCost::Impassable),
    ];
    for (slope, cost) in expected {
        assert_eq!(bands.extra_cost(slope), Ok(cost), "slope {slope}");
    }
    assert_eq!(SlopeBands::new(bands.bands().to_vec()), Ok(bands));
}

#[test]
fn a_slope_that_is_no_slope_is_refused_and_named() {
    let bands = SlopeBands::default();
    assert_eq!(bands.extra_cost(-0.1), Err(SlopeError::Slope(-0.1)));
    assert!(
        matches!(bands.extra_cost(f64::NAN), Err(SlopeError::Slope(slope)) if slope.is_nan()),
        "NaN must not fall into a band"
    );
}

#[test]
fn a_table_of_other_bands_works_and_may_leave_nothing_impassable() {
    let bands = SlopeBands::new([band(0.5, 1), band(f64::INFINITY, 254)]).unwrap();
    assert_eq!(bands.extra_cost(0.49), Ok(SlopeCost::Extra(1)));
    assert_eq!(bands.extra_cost(1e300), Ok(SlopeCost::Extra(254)));
}

#[test]
fn a_table_that_makes_no_sense_is_refused() {
    assert_eq!(SlopeBands::new([]), Err(SlopeError::NoBands));
    assert_eq!(
        SlopeBands::new([band(0.3, 0), band(0.3, 3)]),
        Err(SlopeError::Order {
            band: 1,
            below: 0.3,
            previous: 0.3
        })
    );
    assert_eq!(
        SlopeBands::new([band(0.0, 0)]),
        Err(SlopeError::Order {
            band: 0,
            below: 0.0,
            previous: 0.0
        })
    );
    assert!(SlopeBands::new([band(f64::NAN, 0)]).is_err());
    assert_eq!(
        SlopeBands::new([band(0.3, 0), band(0.6, 255)]),
        Err(SlopeError::Extra { band: 1 })
    );
}
