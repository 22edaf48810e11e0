//! Whole-number Gaussian noise, drawn exactly [CKS20, Alg. 1–3].
//!
//! Floating-point noise betrays the sum it is added to by the numbers it can and cannot reach [Mironov 2012]. Here
//! everything is a whole number and every probability is met to the last bit, given fair random bits.

use num_bigint::{BigInt, BigUint, Sign};

use super::PrivacyError;

/// Where random bytes come from: the operating system, or a seed in tests.
pub(super) type RandomBytes<'a> = dyn FnMut(&mut [u8]) -> Result<(), PrivacyError> + 'a;

/// Random bytes, fetched many at a time.
pub(super) struct Dice<'a> {
    source: &'a mut RandomBytes<'a>,
    bytes: [u8; 256],
    used: usize,
}

impl<'a> Dice<'a> {
    pub(super) fn new(source: &'a mut RandomBytes<'a>) -> Self {
        Dice { source, bytes: [0; 256], used: 256 }
    }

    fn byte(&mut self) -> Result<u8, PrivacyError> {
        if self.used == self.bytes.len() {
            (self.source)(&mut self.bytes)?;
            self.used = 0;
        }
        self.used += 1;
        Ok(self.bytes[self.used - 1])
    }

    /// A whole number from 0 to below a bound, each as likely.
    fn below(&mut self, bound: &BigUint) -> Result<BigUint, PrivacyError> {
        let bits = bound.bits();
        let mut bytes = vec![0; bits.div_ceil(8) as usize];
        loop {
            for byte in &mut bytes {
                *byte = self.byte()?;
            }
            if let Some(highest) = bytes.last_mut() {
                *highest &= 0xff >> ((8 - bits % 8) % 8);
            }
            let number = BigUint::from_bytes_le(&bytes);
            if number < *bound {
                return Ok(number);
            }
        }
    }

    /// True with probability `exp(−numerator / denominator)` [CKS20, Alg. 1].
    fn exponential(&mut self, numerator: &BigUint, denominator: &BigUint) -> Result<bool, PrivacyError> {
        let one = BigUint::from(1_u8);
        let (mut whole, part) = (numerator / denominator, numerator % denominator);
        while whole > BigUint::ZERO {
            if !self.fractional_exponential(&one, &one)? {
                return Ok(false);
            }
            whole -= 1_u8;
        }
        self.fractional_exponential(&part, denominator)
    }

    /// The same for a quotient of at most one.
    fn fractional_exponential(&mut self, numerator: &BigUint, denominator: &BigUint) -> Result<bool, PrivacyError> {
        let mut tries = 1_u64;
        while self.below(&(denominator * tries))? < *numerator {
            tries += 1;
        }
        Ok(tries % 2 == 1)
    }

    /// The magnitude and the sign of a whole number, with probability in proportion to `exp(−|number| / scale)` [CKS20,
    /// Alg. 2].
    fn discrete_laplace(&mut self, scale: &BigUint) -> Result<(BigUint, Sign), PrivacyError> {
        let one = BigUint::from(1_u8);
        loop {
            let rest = self.below(scale)?;
            if !self.fractional_exponential(&rest, scale)? {
                continue;
            }
            let mut magnitude = rest;
            while self.fractional_exponential(&one, &one)? {
                magnitude += scale;
            }
            let negative = self.byte()? & 1 == 1;
            // Zero would come twice, as +0 and as −0.
            if !(negative && magnitude == BigUint::ZERO) {
                return Ok((magnitude, if negative { Sign::Minus } else { Sign::Plus }));
            }
        }
    }

    /// A whole number, with probability in proportion to its Gaussian density [CKS20, Alg. 3].
    ///
    /// ```text
    /// P(k) ∝ exp(−k² / (2 variance))
    /// ```
    ///
    /// # Numerics
    /// Exact. For a variance of 10 and more the variance of the draws is this one to a share of 1e-80. The time it
    /// takes depends on the draw.
    pub(super) fn discrete_gaussian(&mut self, variance: &BigUint) -> Result<BigInt, PrivacyError> {
        let scale = variance.sqrt() + 1_u8;
        let denominator = (variance * &scale * &scale) << 1;
        loop {
            let (magnitude, sign) = self.discrete_laplace(&scale)?;
            let product = &magnitude * &scale;
            let distance = if product > *variance { product - variance } else { variance - product };
            if self.exponential(&(&distance * &distance), &denominator)? {
                return Ok(BigInt::from_biguint(sign, magnitude));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use num_traits::ToPrimitive;
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::Rng;

    use super::*;

    fn draws(seed: u128, variance: f64, n: usize) -> Vec<f64> {
        let mut generator = Pcg64Mcg::new(seed);
        let mut source = |bytes: &mut [u8]| {
            generator.fill_bytes(bytes);
            Ok(())
        };
        let mut dice = Dice::new(&mut source);
        let variance = BigUint::from(variance as u128);
        let mut draw = || dice.discrete_gaussian(&variance).expect("seeded bytes never end");
        (0..n).map(|_| draw().to_f64().expect("a finite number")).collect()
    }

    /// Pearson's statistic over all numbers within three deviations and the rest together. Seeded; over seeds, it
    /// exceeds 37.7 by luck with a probability of 3e-4 (13 degrees of freedom, for the variance of 4) or less.
    #[test]
    fn small_numbers_come_as_often_as_their_density_says() {
        const N: usize = 40_000;
        for variance in [1.0, 2.0, 4.0] {
            let draws = draws(7, variance, N);
            let weight = |k: i32| (-f64::from(k * k) / (2.0 * variance)).exp();
            let total: f64 = (-60..=60).map(weight).sum();
            let reach = (3.0 * f64::sqrt(variance)) as i32;
            let (mut statistic, mut inside, mut counted) = (0.0, 0.0, 0.0);
            for k in -reach..=reach {
                let expected = N as f64 * weight(k) / total;
                let found = draws.iter().filter(|&&draw| draw == f64::from(k)).count() as f64;
                statistic += (found - expected).powi(2) / expected;
                (inside, counted) = (inside + expected, counted + found);
            }
            let outside = N as f64 - inside;
            statistic += (N as f64 - counted - outside).powi(2) / outside;
            assert!(statistic < 37.7, "{variance} {statistic}");
        }
    }

    /// Mean and variance of 20,000 draws within five deviations of theirs: over seeds, fails by luck once in a million.
    #[test]
    fn large_noise_has_the_variance_it_should() {
        const N: usize = 20_000;
        for variance in [1e3, 1e12, 1e30] {
            let draws = draws(11, variance, N);
            let mean = draws.iter().sum::<f64>() / N as f64;
            let square = draws.iter().map(|draw| draw * draw).sum::<f64>() / N as f64;
            assert!(mean.abs() < 5.0 * (variance / N as f64).sqrt());
            assert!((square / variance - 1.0).abs() < 5.0 * (2.0 / N as f64).sqrt(), "{variance} {square}");
        }
    }

    #[test]
    fn every_number_below_a_bound_is_as_likely() {
        let mut generator = Pcg64Mcg::new(3);
        let mut source = |bytes: &mut [u8]| {
            generator.fill_bytes(bytes);
            Ok(())
        };
        let mut dice = Dice::new(&mut source);
        for bound in [1_u32, 2, 5, 255, 256, 257] {
            let mut counts = vec![0; bound as usize];
            for _ in 0..400 * bound {
                let number = dice.below(&BigUint::from(bound)).expect("seeded bytes never end");
                counts[number.to_usize().expect("a small number")] += 1;
            }
            // 400 ± 6 deviations, for each of at most 257 numbers: by luck outside once in a million.
            assert!(counts.iter().all(|count| (280..=520).contains(count)), "{bound}");
        }
    }

    #[test]
    fn without_random_bytes_there_is_no_draw() {
        let mut source = |_: &mut [u8]| Err(PrivacyError::NoRandomness);
        let mut dice = Dice::new(&mut source);
        assert_eq!(dice.discrete_gaussian(&BigUint::from(5_u8)), Err(PrivacyError::NoRandomness));
    }
}
