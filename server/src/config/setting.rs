//! A setting with its documentation, and the macro that declares all of them.

/// One setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// `section.name`, as in the TOML file.
    pub key: &'static str,
    /// Keys of earlier releases, which are still read with a warning.
    pub former_keys: &'static [&'static str],
    /// The allowed values, in words that complete "allowed is ...".
    pub allowed: String,
    /// The default as it would be written; empty means not set (or derived, as the meaning says).
    pub default: &'static str,
    /// Whether the value is masked for display.
    pub is_secret: bool,
    /// Whether the default is the only value: a setting of earlier releases that nobody needed to change. It is not
    /// documented and not read. Tests may change the field.
    pub is_constant: bool,
    /// Its meaning, in one or two sentences.
    pub meaning: &'static str,
}

impl Setting {
    /// The environment variable: `http.base_url` is `SVC_HTTP_BASE_URL`.
    #[must_use]
    pub fn env(&self) -> String {
        env_name(self.key)
    }

    /// A value for display: secrets are masked completely, and addresses in the parts that may be secret (before an
    /// `@`, and the query).
    #[must_use]
    pub fn masked(&self, text: &str) -> String {
        if self.is_secret {
            return "***".to_owned();
        }
        // A password may contain a question mark.
        let (credentials, rest) = text.rsplit_once('@').map_or(("", text), |(_, rest)| ("***@", rest));
        let (address, query) = rest.split_once('?').map_or((rest, ""), |(address, _)| (address, "?***"));
        format!("{credentials}{address}{query}")
    }
}

/// The environment variable of a key.
pub(super) fn env_name(key: &str) -> String {
    format!("SVC_{}", key.replace('.', "_").to_uppercase())
}

/// Declares settings once: `name: type = "default", kind;` below its meaning, in a section. `constant`, with the reason,
/// makes the default the only value. Makes one struct for each section, which reads itself, and the function that lists the settings.
macro_rules! sections {
    ($(
        $(#[doc = $section_doc:literal])+
        $section:ident: $config:ident {
            $(
                $(#[doc = $meaning:literal])+
                $field:ident: $type:ty = $default:literal, $kind:expr $(, formerly $former:literal)? $(, constant $reason:literal)?;
            )+
        }
    )+) => {
        $(
            $(#[doc = $section_doc])+
            #[derive(Debug, Clone)]
            pub struct $config {
                $($(#[doc = $meaning])+ pub $field: $type,)+
            }

            impl $config {
                /// Reads each setting of the section by its kind.
                pub(in crate::config) fn read(values: &Values) -> Result<Self, ConfigError> {
                    Ok(Self {
                        $($field: values.read(concat!(stringify!($section), ".", stringify!($field)), &$kind)?,)+
                    })
                }
            }
        )+

        /// The settings, in the order in which they are documented.
        pub(in crate::config) fn settings() -> Vec<Setting> {
            vec![$($({
                let kind: Kind<$type> = $kind;
                Setting {
                    key: concat!(stringify!($section), ".", stringify!($field)),
                    former_keys: &[$($former)?],
                    allowed: kind.allowed,
                    default: $default,
                    is_secret: kind.is_secret,
                    is_constant: !concat!($($reason)?).is_empty(),
                    meaning: concat!($($meaning),+).trim_ascii(),
                }
            },)+)+]
        }
    };
}
pub(super) use sections;
