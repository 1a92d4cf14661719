//! Texts of the vendor access log.

texts! {
    TITLE = "Vendor access", "Anbieterzugriffe";
    SUBTITLE = "Sign-ins by vendors and by users who might be vendors, newest first.", "Anmeldungen von Anbietern und von Benutzern, die Anbieter sein könnten, neueste zuerst.";
    CLIENT = "Client", "Client";
    SCOPE = "Account type", "Kontotyp";
    SCOPE_DEFAULT = "Vendors and unknown", "Anbieter und Unbekannte";
    VENDOR = "Vendor", "Anbieter";
    OPERATOR = "Operator", "Betreiber";
    UNKNOWN = "Unknown", "Unbekannt";
    UNKNOWN_HINT = "This user hasn't used the API yet and might be a vendor.", "Dieser Benutzer hat die API noch nicht verwendet und könnte ein Anbieter sein.";
    OFF_TITLE = "Sign-ins aren't being recorded", "Anmeldungen werden nicht aufgezeichnet";
    OFF_TEXT = "auth.audit_client_secret isn't set, so this server can't read sign-ins from the identity provider. The list shows only sign-ins recorded earlier.", "auth.audit_client_secret ist nicht gesetzt. Deshalb kann dieser Server keine Anmeldungen vom Identity-Provider lesen. Die Liste zeigt nur bereits aufgezeichnete Anmeldungen.";
    NO_MATCH_TEXT = "No sign-ins match these filters.", "Keine Anmeldung entspricht diesen Filtern.";
    EMPTY_TITLE = "No vendor sign-ins yet", "Noch keine Anmeldungen von Anbietern";
    EMPTY_TEXT = "Sign-ins appear here after about a minute.", "Anmeldungen erscheinen hier nach etwa einer Minute.";
}
