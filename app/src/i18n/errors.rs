//! The API's error codes and form rules as sentences for people.

use contract::{ErrorCode, FieldError};

use super::{Language, Localized, Text, current};
use crate::{branding, form, format, validation_messages};

/// The sentence for an error code; a code of a newer server gets a general one.
pub fn sentence(code: Option<ErrorCode>) -> Text {
    let Some(code) = code else { return GENERAL };
    match code {
        ErrorCode::NotAuthenticated => {
            Text::new("Your session has ended. Sign in again.", "Ihre Sitzung ist beendet. Melden Sie sich erneut an.")
        }
        ErrorCode::SessionCapExceeded => Text::new(
            "This session has reached its limit of two hours. Sign in again.",
            "Diese Sitzung hat ihre Grenze von zwei Stunden erreicht. Melden Sie sich erneut an.",
        ),
        ErrorCode::OperatorRequired => Text::new("Only operators may do this.", "Das dürfen nur Betreiber."),
        ErrorCode::OperatorOrVendorRequired => Text::new(
            "Your account has no access to the operator console.",
            "Ihr Konto hat keinen Zugang zur Betreiberkonsole.",
        ),
        ErrorCode::TenantRequired => {
            Text::new("Your account belongs to no tenant.", "Ihr Konto gehört zu keinem Mandanten.")
        }
        ErrorCode::TenantAdminRequired => Text::new(
            "You may look at this, but only tenant administrators may change it.",
            "Sie dürfen dies ansehen, aber nur Administratoren des Mandanten dürfen es ändern.",
        ),
        ErrorCode::TenantNotActive => Text::new("Your tenant is not active.", "Ihr Mandant ist nicht aktiv."),
        ErrorCode::OriginNotAllowed | ErrorCode::Forbidden => {
            Text::new("This is not allowed.", "Das ist nicht erlaubt.")
        }
        _ => sentence_of_state(code),
    }
}

fn sentence_of_state(code: ErrorCode) -> Text {
    match code {
        ErrorCode::NotFound | ErrorCode::MethodNotAllowed => {
            Text::new("The server does not know this request.", "Der Server kennt diese Anfrage nicht.")
        }
        ErrorCode::TenantNotFound => {
            Text::new("This tenant does not exist (any more).", "Diesen Mandanten gibt es nicht (mehr).")
        }
        ErrorCode::ChatbotNotFound => {
            Text::new("This chatbot does not exist (any more).", "Diesen Chatbot gibt es nicht (mehr).")
        }
        ErrorCode::TemplateNotFound => {
            Text::new("This template does not exist (any more).", "Diese Vorlage gibt es nicht (mehr).")
        }
        ErrorCode::ModuleNotFound => Text::new("This module does not exist.", "Dieses Modul gibt es nicht."),
        ErrorCode::AuditEntryNotFound => Text::new(
            "This row is not in the audit log; rows move to the archive after two years.",
            "Diese Zeile steht nicht im Protokoll; nach zwei Jahren wandern Zeilen ins Archiv.",
        ),
        ErrorCode::ModuleAlwaysOn => Text::new(
            "Every tenant has this module; it cannot be switched.",
            "Dieses Modul hat jeder Mandant; es lässt sich nicht umschalten.",
        ),
        ErrorCode::ModuleExists => Text::new("Another module has this id.", "Ein anderes Modul hat diese Kennung."),
        ErrorCode::DateFromAfterDateTo => {
            Text::new("The beginning lies after the end.", "Der Beginn liegt nach dem Ende.")
        }
        ErrorCode::TenantSlugTaken => {
            Text::new("Another tenant has this slug.", "Ein anderer Mandant hat diesen Kurznamen.")
        }
        ErrorCode::ChatbotSlugTaken => {
            Text::new("Another chatbot has this slug.", "Ein anderer Chatbot hat diesen Kurznamen.")
        }
        ErrorCode::FaqQuestionTaken => Text::new(
            "This chatbot has an answer to this question already.",
            "Dieser Chatbot hat auf diese Frage schon eine Antwort.",
        ),
        ErrorCode::SessionNotFound | ErrorCode::MessageNotFound => {
            Text::new("This conversation does not exist (any more).", "Dieses Gespräch gibt es nicht (mehr).")
        }
        ErrorCode::FeedbackNotFound | ErrorCode::FaqEntryNotFound => {
            Text::new("This entry does not exist (any more).", "Diesen Eintrag gibt es nicht (mehr).")
        }
        ErrorCode::TemplateExists => {
            Text::new("Another template has this id.", "Eine andere Vorlage hat diese Kennung.")
        }
        ErrorCode::ChatbotNotActive => Text::new("The chatbot is deactivated.", "Der Chatbot ist deaktiviert."),
        ErrorCode::QuotaChatbots => Text::new(
            "Your tenant has as many chatbots as it may have.",
            "Ihr Mandant hat so viele Chatbots, wie er haben darf.",
        ),
        ErrorCode::PreconditionFailed => Text::new(
            "Somebody else changed this meanwhile. Load it again and repeat your change.",
            "Jemand anderes hat das inzwischen geändert. Laden Sie neu und wiederholen Sie Ihre Änderung.",
        ),
        ErrorCode::PayloadTooLarge => Text::new("That is too much at once.", "Das ist zu viel auf einmal."),
        ErrorCode::ValidationError => {
            Text::new("Please check the marked fields.", "Bitte prüfen Sie die markierten Felder.")
        }
        ErrorCode::RateLimited => Text::new(
            "Too many requests. Wait a moment and try again.",
            "Zu viele Anfragen. Warten Sie kurz und versuchen Sie es erneut.",
        ),
        ErrorCode::ServiceUnavailable | ErrorCode::GeneratorUnavailable => Text::new(
            "The service cannot be reached at the moment. Try again shortly.",
            "Der Dienst ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.",
        ),
        _ => GENERAL,
    }
}

/// The sentence for a quota that is used up, with its numbers; `None` when the error is another one.
pub fn quota(code: Option<ErrorCode>, errors: &[FieldError]) -> Option<Localized> {
    const CHATBOTS: Text = Text::new(
        "Your tenant has {0} of {1} possible chatbots. One that was deactivated counts until its knowledge is put away.",
        "Ihr Mandant hat {0} von {1} möglichen Chatbots. Ein deaktivierter zählt, bis sein Wissen weggeräumt ist.",
    );
    let (limit, used) = errors.first().and_then(|error| error.limit.zip(error.used))?;
    (code == Some(ErrorCode::QuotaChatbots)).then(|| CHATBOTS.with_localized([used, limit].map(format::number)))
}

const GENERAL: Text = Text::new("Something went wrong on our side.", "Bei uns ist etwas schiefgegangen.");

/// The sentence for a broken rule of a field.
pub fn rule(error: &FieldError) -> Localized {
    match error.kind.as_str() {
        form::COLLISION => form::describe_value(&error.msg),
        branding::NOT_A_NUMBER => branding::texts::NOT_A_NUMBER.into(),
        _ => {
            let error = error.clone();
            Localized::new(move || validation_messages::message(&error, current() == Language::German))
        }
    }
}
