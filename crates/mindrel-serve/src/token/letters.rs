//! Bytes as letters that can stand anywhere, and back: base64 with `-` and `_`.

use base64::engine::general_purpose::NO_PAD;

/// Many letters at a time, if the processor can.
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
pub(super) type Letters = base64::engine::Simd;

/// One letter after the other.
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon"))))]
pub(super) type Letters = base64::engine::GeneralPurpose;

#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
pub(super) fn letters() -> Letters {
    Letters::url_safe(NO_PAD)
}

#[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon"))))]
pub(super) fn letters() -> Letters {
    Letters::new(&base64::alphabet::URL_SAFE, NO_PAD)
}
