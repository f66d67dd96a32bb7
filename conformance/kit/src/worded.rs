//! Enums whose variants have words: those of reports, profiles and rules.

/// Declares an enum and the word of each variant: `ALL` has the variants in order, and the method that is named after the enum gives
/// the word.
#[macro_export]
macro_rules! worded {
    (
        $(#[$about:meta])*
        pub enum $name:ident by $word:ident {
            $($(#[$of:meta])* $variant:ident = $text:literal,)+
        }
    ) => {
        $(#[$about])*
        pub enum $name {
            $($(#[$of])* $variant,)+
        }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub const fn $word(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }
    };
}
