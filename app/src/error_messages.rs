//! Messages for the API's error codes.

use contract::{ErrorCode, FieldError};

use crate::{
    format,
    i18n::{Localized, Text, plural},
};

/// The sentence for an error code; a code of a newer server gets a general one.
pub fn sentence(code: Option<ErrorCode>) -> Text {
    let Some(code) = code else { return GENERAL };
    match code {
        ErrorCode::NotAuthenticated => {
            Text::new("Your session has ended. Sign in again.", "Ihre Sitzung ist beendet. Melden Sie sich erneut an.")
        }
        ErrorCode::SessionCapExceeded => Text::new(
            "This session expired after two hours. Sign in again.",
            "Diese Sitzung ist nach zwei Stunden abgelaufen. Melden Sie sich erneut an.",
        ),
        ErrorCode::OperatorRequired => Text::new("Only operators can do this.", "Nur Betreiber können das."),
        ErrorCode::OperatorOrVendorRequired => Text::new(
            "Your account doesn't have access to the operator console.",
            "Ihr Konto hat keinen Zugriff auf die Betreiberkonsole.",
        ),
        ErrorCode::TenantRequired => {
            Text::new("Your account isn't part of any organisation.", "Ihr Konto gehört zu keiner Organisation.")
        }
        ErrorCode::TenantAdminRequired => Text::new(
            "Only administrators of your organisation can make changes.",
            "Nur Administratoren Ihrer Organisation können Änderungen vornehmen.",
        ),
        ErrorCode::TenantNotActive => {
            Text::new("Your organisation isn't active.", "Ihre Organisation ist nicht aktiv.")
        }
        ErrorCode::KeysNotAllowed => Text::new(
            "The platform operator doesn't allow API keys for your organisation.",
            "Der Plattformbetreiber erlaubt Ihrer Organisation keine API-Schlüssel.",
        ),
        ErrorCode::KeyNotAccepted
        | ErrorCode::KeyMalformed
        | ErrorCode::KeyUnknown
        | ErrorCode::KeyRevoked
        | ErrorCode::KeyExpired
        | ErrorCode::KeyAddressNotAllowed
        | ErrorCode::KeyScopeMissing
        | ErrorCode::OriginNotAllowed
        | ErrorCode::Forbidden => {
            Text::new("You don't have permission to do this.", "Sie haben dafür keine Berechtigung.")
        }
        _ => sentence_of_state(code),
    }
}

fn sentence_of_state(code: ErrorCode) -> Text {
    match code {
        ErrorCode::NotFound | ErrorCode::MethodNotAllowed => {
            Text::new("The server doesn't support this request.", "Der Server unterstützt diese Anfrage nicht.")
        }
        ErrorCode::TenantNotFound => Text::new("This tenant no longer exists.", "Diesen Mandanten gibt es nicht mehr."),
        ErrorCode::ChatbotNotFound => Text::new("This chatbot no longer exists.", "Diesen Chatbot gibt es nicht mehr."),
        ErrorCode::TemplateNotFound => {
            Text::new("This template no longer exists.", "Diese Vorlage gibt es nicht mehr.")
        }
        ErrorCode::ModuleNotFound => Text::new("This module no longer exists.", "Dieses Modul gibt es nicht mehr."),
        ErrorCode::AuditEntryNotFound => Text::new(
            "This entry isn't in the audit log. Entries are archived after two years.",
            "Dieser Eintrag ist nicht im Audit-Log. Einträge werden nach zwei Jahren archiviert.",
        ),
        ErrorCode::ModuleAlwaysOn => Text::new(
            "This module is always enabled and can't be turned off.",
            "Dieses Modul ist immer aktiv und lässt sich nicht ausschalten.",
        ),
        ErrorCode::ModuleNotEnabled => {
            Text::new("Your organisation doesn't have this module.", "Ihre Organisation hat dieses Modul nicht.")
        }
        ErrorCode::ModuleNotSelfService => Text::new(
            "Only the platform operator can turn this module on or off.",
            "Dieses Modul kann nur der Plattformbetreiber ein- und ausschalten.",
        ),
        ErrorCode::ApiKeyNotFound => {
            Text::new("This API key no longer exists.", "Diesen API-Schlüssel gibt es nicht mehr.")
        }
        ErrorCode::ApiKeyNameTaken => {
            Text::new("Another API key has this name.", "Ein anderer API-Schlüssel hat diesen Namen.")
        }
        ErrorCode::ApiKeyRevoked => {
            Text::new("This API key has been revoked.", "Dieser API-Schlüssel wurde widerrufen.")
        }
        ErrorCode::BookmarkNotFound => {
            Text::new("This bookmark no longer exists.", "Dieses Lesezeichen gibt es nicht mehr.")
        }
        ErrorCode::BookmarkExists => Text::new(
            "You have already bookmarked this document.",
            "Für dieses Dokument haben Sie bereits ein Lesezeichen gesetzt.",
        ),
        ErrorCode::SavedSearchNotFound => {
            Text::new("This saved search no longer exists.", "Diese gespeicherte Suche gibt es nicht mehr.")
        }
        ErrorCode::SearchNotFound => {
            Text::new("This search is no longer in your history.", "Diese Suche steht nicht mehr in Ihrem Verlauf.")
        }
        ErrorCode::ModuleExists => Text::new("This ID is already taken.", "Diese ID ist bereits vergeben."),
        ErrorCode::DateFromAfterDateTo => {
            Text::new("The start must be before the end.", "Der Beginn muss vor dem Ende liegen.")
        }
        ErrorCode::TenantSlugTaken => Text::new("This slug is already taken.", "Dieser Kurzname ist bereits vergeben."),
        ErrorCode::ChatbotSlugTaken => {
            Text::new("This slug is already taken.", "Dieser Kurzname ist bereits vergeben.")
        }
        ErrorCode::FaqQuestionTaken => Text::new(
            "This chatbot already has an answer to this question.",
            "Dieser Chatbot hat bereits eine Antwort auf diese Frage.",
        ),
        ErrorCode::SessionNotFound | ErrorCode::MessageNotFound => {
            Text::new("This conversation no longer exists.", "Dieses Gespräch gibt es nicht mehr.")
        }
        ErrorCode::SourceNameTaken => Text::new(
            "This chatbot already has a source with this name.",
            "Dieser Chatbot hat bereits eine Quelle mit diesem Namen.",
        ),
        ErrorCode::SourceReadOnly => Text::new(
            "Files can't be uploaded to this source or removed from it.",
            "Dateien lassen sich in dieser Quelle weder hinzufügen noch entfernen.",
        ),
        ErrorCode::WebsiteBusy => Text::new(
            "This website is being read right now. Wait until that is done.",
            "Diese Website wird gerade gelesen. Warten Sie, bis das abgeschlossen ist.",
        ),
        ErrorCode::WebsitePaused => Text::new(
            "This website is paused. Resume it first.",
            "Diese Website ist pausiert. Setzen Sie sie zuerst fort.",
        ),
        ErrorCode::SourceNotFound => Text::new("This source no longer exists.", "Diese Quelle gibt es nicht mehr."),
        ErrorCode::DocumentNotFound => {
            Text::new("This document no longer exists.", "Dieses Dokument gibt es nicht mehr.")
        }
        ErrorCode::PassageNotFound => Text::new(
            "The document has changed in the meantime, and this section no longer exists.",
            "Das Dokument wurde inzwischen geändert. Diesen Abschnitt gibt es nicht mehr.",
        ),
        ErrorCode::LinkNotValid => Text::new(
            "This link is no longer valid. Open the source in the chat again.",
            "Dieser Link gilt nicht mehr. Öffnen Sie die Quelle im Chat erneut.",
        ),
        ErrorCode::OriginalNotFound => Text::new(
            "The uploaded file is no longer available. Upload it again.",
            "Die hochgeladene Datei ist nicht mehr verfügbar. Laden Sie sie erneut hoch.",
        ),
        ErrorCode::UnsupportedDocumentType => Text::new(
            "This kind of file can't be read. Upload Markdown, HTML, text, PDF, Word (DOCX), Excel (XLSX), PowerPoint (PPTX), ODT, EPUB, CSV or JSONL, or a zip or tar archive of them.",
            "Diese Dateiart kann nicht gelesen werden. Laden Sie Markdown, HTML, Text, PDF, Word (DOCX), Excel (XLSX), PowerPoint (PPTX), ODT, EPUB, CSV oder JSONL hoch oder ein Zip- oder Tar-Archiv davon.",
        ),
        ErrorCode::FeedbackNotFound | ErrorCode::FaqEntryNotFound => {
            Text::new("This entry no longer exists.", "Diesen Eintrag gibt es nicht mehr.")
        }
        ErrorCode::TemplateExists => Text::new("This ID is already taken.", "Diese ID ist bereits vergeben."),
        ErrorCode::ChatbotNotActive => Text::new("The chatbot is deactivated.", "Der Chatbot ist deaktiviert."),
        ErrorCode::ChatbotActive => Text::new("Deactivate the chatbot first.", "Deaktivieren Sie den Chatbot zuerst."),
        ErrorCode::QuotaDocuments => Text::new(
            "Your organisation has reached its document limit.",
            "Ihre Organisation hat die Höchstzahl an Dokumenten erreicht.",
        ),
        ErrorCode::QuotaBytes => Text::new(
            "Your organisation has used up its storage for files.",
            "Ihre Organisation hat ihren Speicherplatz für Dateien aufgebraucht.",
        ),
        ErrorCode::QuotaPassages => Text::new(
            "Your organisation has reached its passage limit.",
            "Ihre Organisation hat die Höchstzahl an Abschnitten erreicht.",
        ),
        ErrorCode::QuotaPages => Text::new(
            "Your organisation has reached its limit of web pages.",
            "Ihre Organisation hat die Höchstzahl an Webseiten erreicht.",
        ),
        ErrorCode::QuotaSources => Text::new(
            "Your organisation has reached its source limit. Remove sources that you don't need.",
            "Ihre Organisation hat die Höchstzahl an Quellen erreicht. Entfernen Sie Quellen, die Sie nicht brauchen.",
        ),
        ErrorCode::QuotaWebsites => Text::new(
            "Your organisation has reached its website limit. Remove websites that you don't need.",
            "Ihre Organisation hat die Höchstzahl an Websites erreicht. Entfernen Sie Websites, die Sie nicht brauchen.",
        ),
        ErrorCode::QuotaApiKeys => Text::new(
            "Your organisation has reached the maximum number of API keys. Revoke keys that you don't need.",
            "Ihre Organisation hat die Höchstzahl an API-Schlüsseln erreicht. Widerrufen Sie Schlüssel, die Sie nicht brauchen.",
        ),
        ErrorCode::QuotaBookmarks => Text::new(
            "You have reached the maximum number of bookmarks. Remove some that you don't need.",
            "Sie haben die Höchstzahl an Lesezeichen erreicht. Entfernen Sie einige, die Sie nicht brauchen.",
        ),
        ErrorCode::QuotaSavedSearches => Text::new(
            "You have reached the maximum number of saved searches. Remove some that you don't need.",
            "Sie haben die Höchstzahl an gespeicherten Suchen erreicht. Entfernen Sie einige, die Sie nicht brauchen.",
        ),
        ErrorCode::QuotaIdempotencyKeys => Text::new(
            "Your organisation has sent too many calls with an idempotency key today.",
            "Ihre Organisation hat heute zu viele Aufrufe mit einem Idempotenzschlüssel gesendet.",
        ),
        ErrorCode::IdempotencyKeyReused
        | ErrorCode::IdempotencyKeyInProgress
        | ErrorCode::IdempotencyAnswerNotKept
        | ErrorCode::IdempotencyKeyNotSupported => Text::new(
            "This call can't be repeated with its idempotency key.",
            "Dieser Aufruf kann nicht mit seinem Idempotenzschlüssel wiederholt werden.",
        ),
        ErrorCode::QuotaChatbots => Text::new(
            "Your organisation has reached its chatbot limit.",
            "Ihre Organisation hat die Höchstzahl an Chatbots erreicht.",
        ),
        ErrorCode::PreconditionFailed => Text::new(
            "Someone else changed this in the meantime. Reload and make your change again.",
            "Jemand anderes hat das inzwischen geändert. Laden Sie neu und wiederholen Sie Ihre Änderung.",
        ),
        ErrorCode::PayloadTooLarge => Text::new("This request is too large.", "Diese Anfrage ist zu groß."),
        ErrorCode::ValidationError => {
            Text::new("Please check the marked fields.", "Bitte prüfen Sie die markierten Felder.")
        }
        ErrorCode::RateLimited => Text::new(
            "Too many requests. Wait a moment and try again.",
            "Zu viele Anfragen. Warten Sie kurz und versuchen Sie es erneut.",
        ),
        ErrorCode::PersonNotFound => Text::new("This person no longer exists.", "Diese Person gibt es nicht mehr."),
        ErrorCode::UsernameTaken => {
            Text::new("This username is already taken.", "Dieser Benutzername ist bereits vergeben.")
        }
        ErrorCode::EmailTaken => {
            Text::new("This email address is already in use.", "Diese E-Mail-Adresse wird bereits verwendet.")
        }
        ErrorCode::OwnPerson => Text::new(
            "You can't remove or deactivate yourself, or change your own role.",
            "Sie können sich nicht selbst entfernen oder deaktivieren und auch Ihre eigene Rolle nicht ändern.",
        ),
        ErrorCode::LastTenantAdmin => Text::new(
            "This is the organisation's last administrator. Make someone else an administrator first.",
            "Das ist der letzte Administrator der Organisation. Machen Sie zuerst jemand anderen zum Administrator.",
        ),
        ErrorCode::PeopleNotConfigured => Text::new(
            "People can't be managed here. Ask the platform operator.",
            "Personen lassen sich hier nicht verwalten. Wenden Sie sich an den Plattformbetreiber.",
        ),
        ErrorCode::PersonRejected => Text::new(
            "The sign-in service doesn't accept these details.",
            "Der Anmeldedienst akzeptiert diese Angaben nicht.",
        ),
        ErrorCode::IdentityProviderUnavailable => Text::new(
            "The sign-in service isn't responding. Try again in a moment.",
            "Der Anmeldedienst antwortet nicht. Versuchen Sie es gleich noch einmal.",
        ),
        ErrorCode::IdentityProviderRefused => Text::new(
            "The sign-in service doesn't let the platform manage people. Ask the platform operator.",
            "Die Plattform hat beim Anmeldedienst nicht die Rechte, Personen zu verwalten. Wenden Sie sich an den Plattformbetreiber.",
        ),
        ErrorCode::StorageFull => Text::new(
            "The platform has no room for files right now. Ask the platform operator.",
            "Die Plattform hat zurzeit keinen Platz für Dateien. Wenden Sie sich an den Plattformbetreiber.",
        ),
        ErrorCode::ServiceUnavailable | ErrorCode::GeneratorUnavailable => Text::new(
            "The service can't be reached right now. Try again in a moment.",
            "Der Dienst ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.",
        ),
        _ => GENERAL,
    }
}

/// The message for an exhausted quota, with its numbers; `None` for another error.
pub fn quota(code: Option<ErrorCode>, errors: &[FieldError]) -> Option<Localized> {
    const CHATBOT: Text = Text::new(
        "Your organisation uses {0} of 1 chatbot. Deactivated chatbots count until their knowledge base is removed.",
        "Ihre Organisation nutzt {0} von 1 Chatbot. Deaktivierte Chatbots zählen, bis ihre Wissensbasis entfernt ist.",
    );
    const CHATBOTS: Text = Text::new(
        "Your organisation uses {0} of {1} chatbots. Deactivated chatbots count until their knowledge base is removed.",
        "Ihre Organisation nutzt {0} von {1} Chatbots. Deaktivierte Chatbots zählen, bis ihre Wissensbasis entfernt ist.",
    );
    const DOCUMENTS: Text = Text::new(
        "Your organisation uses {0} of {1} documents. Delete documents that you don't need, or ask the platform operator for a higher quota.",
        "Ihre Organisation nutzt {0} von {1} Dokumenten. Löschen Sie Dokumente, die Sie nicht brauchen, oder bitten Sie den Plattformbetreiber um ein höheres Kontingent.",
    );
    const BYTES: Text = Text::new(
        "The files of your organisation use {0} of {1}. Delete files that you don't need, or ask the platform operator for more storage.",
        "Die Dateien Ihrer Organisation belegen {0} von {1}. Löschen Sie Dateien, die Sie nicht brauchen, oder bitten Sie den Plattformbetreiber um mehr Speicherplatz.",
    );
    const PASSAGES: Text = Text::new(
        "Your organisation uses {0} of {1} passages. Delete documents that you don't need, or ask the platform operator for a higher quota.",
        "Ihre Organisation nutzt {0} von {1} Abschnitten. Löschen Sie Dokumente, die Sie nicht brauchen, oder bitten Sie den Plattformbetreiber um ein höheres Kontingent.",
    );
    const PAGES: Text = Text::new(
        "Your organisation uses {0} of {1} web pages. Remove a website that you don't need, or ask the platform operator for a higher quota.",
        "Ihre Organisation nutzt {0} von {1} Webseiten. Entfernen Sie eine Website, die Sie nicht brauchen, oder bitten Sie den Plattformbetreiber um ein höheres Kontingent.",
    );
    let (limit, used) = errors.first().and_then(|error| error.limit.zip(error.used))?;
    let numbers = [used, limit];
    let bytes = |number: i64| format::bytes(number.unsigned_abs());
    match code? {
        ErrorCode::QuotaChatbots => Some(plural(limit, CHATBOT, CHATBOTS).with_localized(numbers.map(format::number))),
        ErrorCode::QuotaDocuments => Some(DOCUMENTS.with_localized(numbers.map(format::number))),
        ErrorCode::QuotaBytes => Some(BYTES.with_localized(numbers.map(bytes))),
        ErrorCode::QuotaPassages => Some(PASSAGES.with_localized(numbers.map(format::number))),
        ErrorCode::QuotaPages => Some(PAGES.with_localized(numbers.map(format::number))),
        _ => None,
    }
}

const GENERAL: Text = Text::new(
    "An unexpected error occurred. Try again in a moment.",
    "Ein unerwarteter Fehler ist aufgetreten. Versuchen Sie es gleich noch einmal.",
);
