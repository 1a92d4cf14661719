//! The design system of both consoles: one component per file, styles in `style/components`.
//!
//! Components take texts, signals and callbacks. They fetch nothing and do not depend on pages.

#![allow(unreachable_pub, reason = "the component macro emits a second, hidden item that is not re-exported")]

mod app_shell;
mod avatar;
mod badge;
mod banner;
mod breadcrumbs;
mod button;
mod card;
mod checkbox;
mod code_block;
mod color_field;
mod column_choice;
mod command_palette;
mod confirm_dialog;
mod copy_button;
mod day_plot;
mod day_range;
mod definition_list;
mod dialog;
mod dialog_form;
mod empty_state;
mod error_state;
mod failure;
mod field_shell;
mod icon;
mod icon_button;
mod lazy_page;
mod link;
mod menu;
mod neighbours;
mod page_header;
mod pagination;
mod preference_menus;
mod prose;
mod radio_cards;
mod save_bar;
mod scroll_memory;
mod search_field;
mod section_nav;
mod select;
mod session_limit;
mod shortcuts;
mod skeleton;
mod spinner;
mod stat_card;
mod stepper;
mod switch;
mod table;
mod tabs;
mod text_area;
mod text_field;
mod toast;
mod unsaved_guard;

pub use app_shell::{AppShell, NavItem, focus_content};
pub use avatar::Avatar;
pub use badge::{Badge, Tone};
pub use banner::Banner;
pub use breadcrumbs::{Breadcrumbs, Crumb};
pub use button::{Button, ButtonKind, ButtonLink};
pub use card::Card;
pub use checkbox::Checkbox;
pub use code_block::CodeBlock;
pub use color_field::ColorField;
pub use column_choice::{ColumnChoice, ColumnMenu};
pub use command_palette::{FindEntries, PaletteAction, PaletteChoices, PaletteEntry};
pub use confirm_dialog::ConfirmDialog;
pub use copy_button::CopyButton;
pub use day_plot::{DayKind, DayMood, DayPlot, DayValues, SkeletonPlot, SkeletonPlots};
pub use day_range::{DAY_RANGES, DayRange, RangeSwitch};
pub use definition_list::{DefinitionItem, DefinitionList};
pub use dialog::{Dialog, DialogSize, open_while_some};
pub use dialog_form::DialogForm;
pub use empty_state::EmptyState;
pub use error_state::ErrorState;
pub use failure::Failure;
pub use icon::{Icon, IconName};
pub use icon_button::{IconButton, IconButtonKind};
pub use lazy_page::{LazyPage, LazyView, PagePath, PageStep, SplitLoaderError, wasm_split};
pub(crate) use lazy_page::{Task, when_here};
#[doc(hidden)]
pub use leptos::wasm_split as wasm_split_runtime;
pub use link::Link;
pub use menu::{Menu, MenuItem};
pub use neighbours::{Neighbours, StepButtons, Steps};
pub use page_header::PageHeader;
pub use pagination::{ListPages, LocalPages, Pagination};
pub use preference_menus::{LanguageMenu, ThemeMenu};
pub use prose::Prose;
pub use radio_cards::{Choice, RadioCards};
pub use save_bar::SaveBar;
pub use search_field::{SearchField, is_typing};
pub use section_nav::{OpenCount, SectionLink, SectionNav};
pub use select::{OptionGroup, Select};
pub use shortcuts::Shortcuts;
pub use skeleton::{Skeleton, SkeletonCards, SkeletonTable};
pub use spinner::Spinner;
pub use stat_card::StatCard;
pub use stepper::{Stepper, StepperState};
pub use switch::Switch;
pub use table::{Column, Table};
pub use tabs::{TabPanel, Tabs};
pub use text_area::TextArea;
pub use text_field::TextField;
pub use toast::{ToastKind, Toasts, toast, toast_problem, toast_with_offer, toast_with_undo};
pub(crate) use toast::{begin_result, end_result};
pub use unsaved_guard::{UnsavedGuard, use_guarded_navigate};
pub(crate) use unsaved_guard::{blocks_sign_out, listen_to_history};

use std::cell::Cell;

/// An id that no other element of the page has.
pub(crate) fn unique_id(kind: &str) -> String {
    thread_local! {
        static NEXT: Cell<u32> = const { Cell::new(0) };
    }
    let number = NEXT.get() + 1;
    NEXT.set(number);
    format!("{kind}-{number}")
}
