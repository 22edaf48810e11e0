//! Reading a type through the constructor that checks it.

/// Makes `new` the only way to read a type: serde reads its parts, under the names of its constructor's arguments.
///
/// The type itself says `#[serde(try_from = "…Parts")]`.
macro_rules! read_by_new {
    ($(#[$meta:meta])* $type:ident from $parts:ident { $($field:ident: $kind:ty),+ $(,)? } or $error:ty) => {
        #[derive(serde::Deserialize)]
        $(#[$meta])*
        struct $parts {
            $($field: $kind),+
        }

        impl TryFrom<$parts> for $type {
            type Error = $error;

            fn try_from(parts: $parts) -> Result<Self, $error> {
                $type::new($(parts.$field),+)
            }
        }
    };
}

pub(crate) use read_by_new;
