//! Which vector instructions engines may use, and whether they are built in at all.
//!
//! Vectors come from `fearless_simd`, which picks the instruction set at run time and owns all `unsafe`. The feature
//! `vectors`, on by default, is that dependency. This is the one place that knows the difference:
//! - with it, [`Level`] is an instruction set of `fearless_simd`;
//! - without it, [`Level`] has no values. `Option<Level>` is then always `None`, "cell by cell", which every engine can do
//!   anyway; a `match` on it needs no arm for `Some`, and so the arm and the module it calls carry the `cfg` together.

use core::fmt;
#[cfg(feature = "vectors")]
pub(crate) use fearless_simd::Level;
#[cfg(feature = "vectors")]
use fearless_simd::Simd;

/// No instruction set is built in.
#[cfg(not(feature = "vectors"))]
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level {}

/// The instruction set of the engines that work with vectors. Results do not depend on it; tests choose each in turn.
///
/// In a build without the feature `vectors` only [`Vectors::Best`] and [`Vectors::Plain`] are available, and both go cell by
/// cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Vectors {
    /// The widest this processor has, found out at run time.
    #[default]
    Best,
    /// None: code for any processor, cell by cell.
    Plain,
    /// AVX2 with FMA, of x86 processors.
    Avx2,
    /// AVX-512 as of Ice Lake, of x86 processors.
    Avx512,
}

impl Vectors {
    /// Those that can be asked for by name.
    pub const ALL: [Self; 4] = [Self::Best, Self::Plain, Self::Avx2, Self::Avx512];

    /// Whether this processor and this build have it.
    #[must_use]
    pub fn is_available(self) -> bool {
        self.level().is_some()
    }

    /// Does some work in code that was compiled for these vectors, where the compiler can make use of them by itself;
    /// whatever the work calls has to be inlined into it. Vectors that this processor or this build lacks are none.
    ///
    /// Rust contracts and reorders no floating point by itself, so the result is the same with all of them.
    #[inline(always)]
    pub fn run<R>(self, work: impl FnOnce() -> R) -> R {
        self.dispatch(Call(work))
    }

    /// [`Self::run`] for work that handles vectors itself.
    #[inline(always)]
    pub fn dispatch<W: VectorWork>(self, work: W) -> W::Output {
        #[cfg(all(feature = "vectors", any(target_arch = "x86", target_arch = "x86_64")))]
        if !matches!(self, Self::Plain) {
            let level = Level::new();
            if !matches!(self, Self::Avx2)
                && let Some(simd) = level.as_avx512()
            {
                return simd.vectorize(
                    #[inline(always)]
                    || work.wide(simd),
                );
            }
            if !matches!(self, Self::Avx512)
                && let Some(simd) = level.as_avx2()
            {
                return simd.vectorize(
                    #[inline(always)]
                    || work.wide(simd),
                );
            }
        }
        #[cfg(all(feature = "vectors", target_arch = "aarch64"))]
        if !matches!(self, Self::Plain)
            && let Some(simd) = Level::new().as_neon()
        {
            return work.wide(simd);
        }
        work.plain()
    }

    /// Whether rows are worked in vectors, and not cell by cell.
    #[cfg(not(feature = "vectors"))]
    pub(crate) const fn are_wide(self) -> bool {
        false
    }

    /// Whether rows are worked in vectors, and not cell by cell.
    #[cfg(feature = "vectors")]
    pub(crate) fn are_wide(self) -> bool {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        return self
            .level()
            .flatten()
            .is_some_and(|level| level.as_avx2().is_some());
        #[cfg(target_arch = "aarch64")]
        return self
            .level()
            .flatten()
            .is_some_and(|level| level.as_neon().is_some());
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
        false
    }

    /// The instruction set, `Some(None)` for none, `None` if this processor or this build lacks it.
    #[expect(
        clippy::option_option,
        reason = "\"none is wanted\" and \"none is there\" are told apart"
    )]
    #[cfg(not(feature = "vectors"))]
    pub(crate) const fn level(self) -> Option<Option<Level>> {
        match self {
            Self::Best | Self::Plain => Some(None),
            Self::Avx2 | Self::Avx512 => None,
        }
    }

    /// The instruction set, `Some(None)` for none, `None` if this processor or this build lacks it.
    #[expect(
        clippy::option_option,
        reason = "\"none is wanted\" and \"none is there\" are told apart"
    )]
    #[cfg(feature = "vectors")]
    pub(crate) fn level(self) -> Option<Option<Level>> {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        let of_x86 = |best: Level| match self {
            Self::Avx2 => best.as_avx2().map(Level::Avx2),
            Self::Avx512 => best.as_avx512().map(Level::Avx512),
            _ => None,
        };
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        let of_x86 = |_: Level| None;
        match self {
            Self::Plain => Some(None),
            Self::Best => Some(Some(Level::new())),
            _ => of_x86(Level::new()).map(Some),
        }
    }
}

/// [`Vectors::run`] with the widest of this processor.
#[inline(always)]
pub(crate) fn on_widest_vectors<R>(work: impl FnOnce() -> R) -> R {
    Vectors::Best.run(work)
}

/// Work with a way for vectors and one without, which end in the same bits; see [`Vectors::dispatch`]. Both have to be
/// inlined.
pub trait VectorWork: Sized {
    /// What comes out.
    type Output;

    /// The work without vectors.
    fn plain(self) -> Self::Output;

    /// The work with the vectors of `simd`, a level of `fearless_simd`; the same as without unless it says otherwise.
    #[cfg(feature = "vectors")]
    #[inline(always)]
    fn wide<S: Simd>(self, simd: S) -> Self::Output {
        let _ = simd;
        self.plain()
    }
}

/// A closure, whose vectors the compiler finds.
struct Call<F>(F);

impl<R, F: FnOnce() -> R> VectorWork for Call<F> {
    type Output = R;

    #[inline(always)]
    fn plain(self) -> R {
        (self.0)()
    }
}

impl fmt::Display for Vectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Best => "best",
            Self::Plain => "plain",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        })
    }
}
