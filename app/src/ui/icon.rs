//! Line icons on a grid of 24, drawn for this project. They are decoration; a label is next to them.

use leptos::prelude::*;

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident = $path:literal;)+) => {
        /// The icons of the consoles.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum IconName { $($(#[$doc])* $name),+ }

        impl IconName {
            /// Every icon, for the gallery.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            const fn path(self) -> &'static str {
                match self { $(Self::$name => $path),+ }
            }
        }
    };
}

icons! {
    /// Three lines.
    Menu = "M4 6h16M4 12h16M4 18h16";
    /// A cross.
    Close = "M6 6l12 12M18 6L6 18";
    /// A check mark.
    Check = "M5 12.5l4.5 4.5L19 7.5";
    /// A magnifying glass.
    Search = "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM20 20l-4.9-4.9";
    /// A plus sign.
    Plus = "M12 5v14M5 12h14";
    /// A pencil.
    Edit = "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3";
    /// A bin.
    Trash = "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5";
    /// Two sheets.
    Copy = "M9 9h11v11H9zM5 15H4V4h11v1";
    /// Points down.
    ChevronDown = "M6 9l6 6 6-6";
    /// Points to the start.
    ChevronLeft = "M15 6l-6 6 6 6";
    /// Points to the end.
    ChevronRight = "M9 6l6 6-6 6";
    /// Ascending, or one step newer.
    ArrowUp = "M12 19V5M6 11l6-6 6 6";
    /// Descending, or one step older.
    ArrowDown = "M12 5v14M6 13l6 6 6-6";
    /// Points up and down.
    ArrowsVertical = "M8 9l4-4 4 4M8 15l4 4 4-4";
    /// A triangle with an exclamation mark.
    Alert = "M12 4L2.5 20h19zM12 10v4.5M12 17.4v.1";
    /// A circle with an i.
    Info = "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 7.9v.1";
    /// A house.
    Home = "M4 11l8-7 8 7v9h-5.5v-6h-5v6H4z";
    /// A building.
    Tenant = "M5 20V4h9v16M14 9h5v11M3 20h18M8 8h3M8 12h3M8 16h3";
    /// A sheet.
    Template = "M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h7";
    /// A speech bubble.
    Chatbot = "M4 5h16v11h-9l-5 4v-4H4zM9 10.4v.1M12 10.4v.1M15 10.4v.1";
    /// Connections to other systems.
    Plug = "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4";
    /// The light theme.
    Sun = "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4";
    /// The dark theme.
    Moon = "M20 14.5A8 8 0 1 1 9.5 4 6.5 6.5 0 0 0 20 14.5z";
    /// A screen.
    Monitor = "M4 5h16v11H4zM8 20h8M12 16v4";
    /// Websites and languages.
    Globe = "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3.5 9h17M3.5 15h17M12 3c3.5 4.5 3.5 13.5 0 18M12 3c-3.5 4.5-3.5 13.5 0 18";
    /// A person.
    User = "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20.5c.8-4 4-5.5 8-5.5s7.2 1.5 8 5.5";
    /// Two persons.
    People = "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5c.6-3.6 3.4-5 6.5-5s5.9 1.4 6.5 5M15.5 4.8a3.5 3.5 0 0 1 0 6.4M18 14.9c1.8.8 3.1 2.2 3.5 4.6";
    /// A door.
    SignOut = "M14 4H5v16h9M10 12h11M17 8l4 4-4 4";
    /// Opens another site.
    External = "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6";
    /// A painter's palette.
    Palette = "M12 21a9 9 0 1 1 9-9c0 3-2 4-4 4h-2a2 2 0 0 0-1 3.5c.5 1-.5 1.5-2 1.5zM8 11.4v.1M11.5 7.9v.1M15.9 9.9v.1";
    /// Two angle brackets.
    Code = "M8 7l-5 5 5 5M16 7l5 5-5 5";
    /// A circular arrow.
    Refresh = "M20 12a8 8 0 1 1-2.5-5.8M20 3v5h-5";
    /// What happened earlier.
    Clock = "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2";
    /// An arrow into a tray.
    Download = "M12 4v11M7 10.5l5 5 5-5M4 19.5h16";
    /// An arrow out of a tray.
    Upload = "M12 15V4M7 8.5l5-5 5 5M4 19.5h16";
    /// A book with lines.
    Audit = "M6 3h13v18H6a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM8.5 8h7M8.5 12h7M8.5 16h4";
    /// A funnel.
    Filter = "M3.5 5h17l-6.5 8v6l-4 1.5V13z";
    /// An empty tray.
    Inbox = "M4 13l3-8h10l3 8v6H4zM4 13h5l1 3h4l1-3h5";
    /// Three columns.
    Columns = "M5 20v-9M12 20V4M19 20v-6M3 20h18";
    /// A sheet in three columns.
    TableColumns = "M4 5h16v14H4zM9.3 5v14M14.7 5v14";
    /// Three dots.
    More = "M5.5 12v.1M12 12v.1M18.5 12v.1";
    /// The output filter.
    Shield = "M12 3l7.5 3v5.5c0 4.5-3 7.7-7.5 9.5-4.5-1.8-7.5-5-7.5-9.5V6z";
    /// The state of the system.
    Pulse = "M3 12h4l3-7 4 14 3-7h4";
    /// Access to the platform.
    Key = "M15 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM11.4 12.6L4 20M7 17l2.5 2.5";
    /// An open book.
    Book = "M12 6.5c-2-1.5-5-2-8-2v13c3 0 6 .5 8 2 2-1.5 5-2 8-2v-13c-3 0-6 .5-8 2zM12 6.5v13";
    /// Two sliders.
    Sliders = "M4 8h9M17 8h3M15 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM4 16h3M11 16h9M9 18a2 2 0 1 0 0-4 2 2 0 0 0 0 4z";
    /// A circle with a question mark.
    Question = "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1 1-1.1 1.8v.3M12 16.9v.1";
    /// A thumb that points up.
    ThumbUp = "M7 11v9H4v-9zM7 11l4-7a2.5 2.5 0 0 1 2.5 2.5V10h5a1.6 1.6 0 0 1 1.6 1.9l-1.2 6.6a1.8 1.8 0 0 1-1.8 1.5H7";
    /// Four tiles.
    Tiles = "M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z";
}

/// An icon as large as the text next to it.
#[component]
pub fn Icon(
    name: IconName,
    /// More classes, for example `ui-search__icon`.
    #[prop(optional, into)]
    class: String,
) -> impl IntoView {
    let class = if class.is_empty() { "ui-icon".to_owned() } else { format!("ui-icon {class}") };
    view! {
        <svg class=class viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"
            stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
            <path d=name.path() />
        </svg>
    }
}
