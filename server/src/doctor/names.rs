//! The names of the checks: group, id for scripts, and title.

use contract::system_check::{ReportLanguage, SystemArea};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) area: SystemArea,
    pub(super) id: &'static str,
    english: &'static str,
    german: &'static str,
}

impl Name {
    /// The title in one language.
    pub(super) const fn title(self, language: ReportLanguage) -> &'static str {
        match language {
            ReportLanguage::English => self.english,
            ReportLanguage::German => self.german,
        }
    }
}

macro_rules! names {
    ($($area:ident { $($name:ident = $id:literal, $english:literal, $german:literal;)+ })+) => {
        $($(
            pub(super) const $name: Name =
                Name { area: SystemArea::$area, id: $id, english: $english, german: $german };
        )+)+
    };
}

names! {
    Database {
        CONNECTION = "connection", "Connection", "Verbindung";
        TRANSPORT = "transport", "Encryption of the connection", "Verschlüsselung der Verbindung";
        ROLE = "role", "Login role", "Anmelderolle";
        POOLER = "pooler", "Pooler", "Pooler";
        MIGRATIONS = "migrations", "Migrations", "Migrationen";
        DATABASE_VERSION = "version", "Version", "Version";
        EXTENSIONS = "extensions", "Extensions", "Erweiterungen";
        DATABASE_SETTINGS = "settings", "Settings", "Einstellungen";
        CONNECTIONS = "connections", "Number of connections", "Zahl der Verbindungen";
        DATABASE_CLOCK = "clock", "Clock", "Uhr";
        TIME_ZONES = "time_zones", "Time zone data", "Zeitzonendaten";
    }
    Identity {
        DISCOVERY = "discovery", "Discovery", "Discovery";
        ISSUER = "issuer", "Issuer", "Aussteller";
        KEYS = "keys", "Signing keys", "Signaturschlüssel";
        IDENTITY_CLOCK = "clock", "Clock", "Uhr";
        CLIENT = "client", "Client of the platform", "Client der Plattform";
        TOKEN_LIFE = "token_life", "Token lifetime", "Gültigkeit der Token";
        RIGHTS = "rights", "Rights of the client", "Rechte des Clients";
    }
    Keycloak {
        ADMINISTRATION = "administration", "Administration", "Verwaltung";
        CLIENTS = "clients", "Clients", "Clients";
        CLIENT_SECRETS = "client_secrets", "Client secrets", "Client-Geheimnisse";
        PKCE = "pkce", "PKCE", "PKCE";
        REDIRECTS = "redirects", "Redirect addresses", "Weiterleitungsadressen";
        PASSWORD_GRANT = "password_grant", "Password grant", "Passwort-Grant";
        MAPPERS = "mappers", "Mappers", "Mapper";
        EVENTS = "events", "Login events", "Anmeldeereignisse";
        PROFILE = "profile", "User profile", "Benutzerprofil";
        REALM_SETTINGS = "realm", "Realm settings", "Realm-Einstellungen";
        DEMO_PEOPLE = "demo_people", "Demo accounts", "Demo-Konten";
        SERVICE_ACCOUNT = "service_account", "Roles of svc-people", "Rollen von svc-people";
    }
    Models {
        EMBEDDINGS = "embeddings", "Embedding model", "Embedding-Modell";
        COLLECTIONS = "collections", "Models of the knowledge bases", "Modelle der Wissensbasen";
        GENERATOR = "generator", "Language model", "Sprachmodell";
        RERANKER = "reranker", "Reranker", "Reranker";
    }
    Services {
        REDIS = "redis", "Redis", "Redis";
        VECTORS = "vectors", "Vector store", "Vektorspeicher";
    }
    Network {
        ADDRESS = "address", "Address of the platform", "Adresse der Plattform";
        PROXIES = "proxies", "Proxies", "Proxys";
        PROXY_HEADERS = "proxy_headers", "Proxy headers", "Proxy-Header";
        CRAWLER = "crawler", "Addresses of websites", "Adressen von Websites";
        CERTIFICATE = "certificate", "Certificate", "Zertifikat";
    }
    Machine {
        STORAGE = "storage", "Storage of originals", "Ablage der Originale";
        DISK = "disk", "Disk space", "Speicherplatz";
        TEMPORARY_FILES = "temporary_files", "Temporary files", "Temporäre Dateien";
        OPEN_FILES = "open_files", "Open files", "Offene Dateien";
        TEXT_RECOGNITION = "text_recognition", "Text recognition (OCR)", "Texterkennung (OCR)";
    }
}
