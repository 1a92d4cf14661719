//! Buttons, links, menus, dialogs and toasts.

use std::time::Duration;

use app::{
    form::{Field, Form},
    ui::{
        Button, ButtonKind, ButtonLink, ConfirmDialog, CopyButton, Dialog, DialogForm, DialogSize, Icon, IconButton,
        IconButtonKind, IconName, LanguageMenu, Link, Menu, MenuItem, TextField, ThemeMenu, ToastKind, toast,
        toast_with_undo,
    },
};
use leptos::{ev::SubmitEvent, prelude::*};

use super::Section;

const KINDS: [(ButtonKind, &str); 4] = [
    (ButtonKind::Primary, "Primary"),
    (ButtonKind::Secondary, "Secondary"),
    (ButtonKind::Ghost, "Ghost"),
    (ButtonKind::Danger, "Danger"),
];

/// How long the question waits for its answer.
const ANSWER_DELAY: Duration = Duration::from_secs(3);

fn buttons(small: bool, busy: bool, disabled: bool) -> impl IntoView {
    KINDS
        .into_iter()
        .map(|(kind, text)| view! { <Button kind small busy=busy disabled=disabled>{text}</Button> })
        .collect_view()
}

#[component]
pub(super) fn Actions() -> impl IntoView {
    let trigger = || view! { <span>"Menu"</span><Icon name=IconName::ChevronDown /> };
    view! {
        <Section title="Buttons and links">
            <div class="ui-gallery__row">{buttons(false, false, false)}</div>
            <div class="ui-gallery__row">{buttons(true, false, false)}</div>
            <div class="ui-gallery__row">{buttons(false, true, false)}</div>
            <div class="ui-gallery__row">{buttons(false, false, true)}</div>
            <div class="ui-gallery__row">
                <Button icon=IconName::Plus kind=ButtonKind::Primary>"With icon"</Button>
                <ButtonLink href="#gallery" icon=IconName::Edit>"Link as button"</ButtonLink>
                <IconButton icon=IconName::Edit label="Edit" on_click=|()| {} />
                <IconButton icon=IconName::Refresh label="Refresh" kind=IconButtonKind::Secondary on_click=|()| {} />
                <IconButton icon=IconName::Trash label="Delete" kind=IconButtonKind::Danger on_click=|()| {} />
                <IconButton icon=IconName::Trash label="Not now" disabled=true on_click=|()| {} />
                <CopyButton value="copied text" />
                <Link href="#gallery">"Link"</Link>
                <Link href="#gallery" quiet=true>"Quiet link"</Link>
                <Link href="https://example.com/" external=true>"External link"</Link>
            </div>
        </Section>
        <Section title="Menus">
            <div class="ui-gallery__row">
                <Menu label="Actions" trigger=trigger.into()>
                    <div class="ui-menu__title">"Group"</div>
                    <MenuItem icon=IconName::Edit on_select=|()| {}>"Edit"</MenuItem>
                    <MenuItem checked=true on_select=|()| {}>"Chosen"</MenuItem>
                    <MenuItem checked=false on_select=|()| {}>"Not chosen"</MenuItem>
                    <MenuItem checked=true several=true on_select=|()| {}>"Chosen with others"</MenuItem>
                    <hr class="ui-menu__line" />
                    <MenuItem icon=IconName::Trash danger=true on_select=|()| {}>"Delete"</MenuItem>
                </Menu>
                <LanguageMenu />
                <ThemeMenu />
            </div>
        </Section>
        <Overlays />
    }
}

fn rename_form(open: RwSignal<bool>) -> impl IntoView {
    let name = Field::new("name", "Manuals");
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        open.set(false);
    };
    view! {
        <DialogForm open form=Form::new([name]) on_submit=submit>
            <TextField label="Name" field=name />
        </DialogForm>
    }
}

/// Opens the question that is busy, and closes it when its answer arrives.
fn wait(open: RwSignal<bool>) {
    open.set(true);
    set_timeout(
        move || {
            let _ = open.try_set(false);
        },
        ANSWER_DELAY,
    );
}

#[component]
fn Overlays() -> impl IntoView {
    let (small, large, form) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(false));
    let (confirm, typed, busy) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(false));
    view! {
        <Section title="Dialogs and toasts">
            <div class="ui-gallery__row">
                <Button on_click=move |()| small.set(true)>"Small dialog"</Button>
                <Button on_click=move |()| large.set(true)>"Large dialog"</Button>
                <Button on_click=move |()| form.set(true)>"Dialog with a form"</Button>
                <Button on_click=move |()| confirm.set(true)>"Question"</Button>
                <Button on_click=move |()| typed.set(true)>"Question with typing"</Button>
                <Button on_click=move |()| wait(busy)>"Question while it is done"</Button>
                <Button on_click=|()| toast(ToastKind::Success, "It worked.")>"Success"</Button>
                <Button on_click=|()| toast(ToastKind::Info, "Good to know.")>"Info"</Button>
                <Button on_click=|()| toast(ToastKind::Error, "It did not work.")>"Error"</Button>
                <Button on_click=|()| toast_with_undo("Deactivated.", || toast(ToastKind::Info, "Taken back."))>
                    "With a way back"
                </Button>
            </div>
            <Dialog open=small title="A small dialog" size=DialogSize::Small>
                <div class="ui-dialog__body"><p>"With a sentence in it."</p></div>
                <footer class="ui-dialog__footer">
                    <Button on_click=move |()| small.set(false)>"Close"</Button>
                </footer>
            </Dialog>
            <Dialog open=large title="A large dialog that scrolls inside" size=DialogSize::Large>
                <div class="ui-dialog__body">{(1..40).map(|line| view! { <p>"Line " {line}</p> }).collect_view()}</div>
                <footer class="ui-dialog__footer">
                    <Button kind=ButtonKind::Primary on_click=move |()| large.set(false)>"Done"</Button>
                </footer>
            </Dialog>
            <Dialog open=form title="Rename the source" size=DialogSize::Small>
                {move || rename_form(form)}
            </Dialog>
            <ConfirmDialog
                open=confirm
                title="Deactivate “Help”?"
                text="Its widget stops answering at once."
                confirm_label="Deactivate"
                on_confirm=move |()| confirm.set(false)
            />
            <ConfirmDialog
                open=typed
                title="Delete “Harbor Supply”?"
                text="Its widgets fall silent at once."
                confirm_label="Delete"
                type_to_confirm="harbor"
                on_confirm=move |()| typed.set(false)
            />
            <ConfirmDialog
                open=busy
                title="Delete 12 tenants?"
                text="It stays open until the answer arrives."
                confirm_label="Delete"
                busy=true
                on_confirm=|()| {}
            />
        </Section>
    }
}
