//! Declares structs of steps: what the model asks where a fault, a reading or a platform may do otherwise.

/// One row a step: `name: type = the model's own;`.
macro_rules! steps {
    ($(#[$of:meta])* $view:vis struct $name:ident { $($(#[$doc:meta])* $step:ident: $kind:ty = $own:expr;)* }) => {
        $(#[$of])*
        #[derive(Clone, Debug)]
        $view struct $name {
            $($(#[$doc])* pub(crate) $step: $kind,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($step: $own,)* }
            }
        }
    };
}
pub(crate) use steps;
