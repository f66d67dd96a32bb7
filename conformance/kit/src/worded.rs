//! Enums whose variants have words, for reports, profiles and rules.

/// Declares an enum with a word for each variant. `ALL` lists the variants; the method named after `by` gives the word.
#[macro_export]
macro_rules! worded {
    (
        $(#[$about:meta])*
        $vis:vis enum $name:ident by $word:ident {
            $($(#[$of:meta])* $variant:ident = $text:literal,)+
        }
    ) => {
        $(#[$about])*
        $vis enum $name {
            $($(#[$of])* $variant,)+
        }

        impl $name {
            $vis const ALL: &[Self] = &[$(Self::$variant),+];

            $vis const fn $word(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }
    };
}
