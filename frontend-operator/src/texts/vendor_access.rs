//! Texts of the vendor access log.

texts! {
    TITLE = "Vendor access", "Zugriffe der Anbieter";
    SUBTITLE = "Sign-ins of vendors, and of users who may be vendors, newest first.", "Anmeldungen von Anbietern und von Benutzern, die Anbieter sein können, neueste zuerst.";
    CLIENT = "Client", "Client";
    SCOPE = "Whose", "Wessen";
    SCOPE_DEFAULT = "Vendors and unknown", "Anbieter und Unbekannte";
    VENDOR = "vendor", "Anbieter";
    OPERATOR = "operator", "Betreiber";
    UNKNOWN = "unknown", "unbekannt";
    UNKNOWN_HINT = "The platform has seen no token of this user yet, so this may be a vendor.", "Die Plattform hat noch kein Token dieses Benutzers gesehen; es kann also ein Anbieter sein.";
    OFF_TITLE = "Sign-ins are not recorded", "Anmeldungen werden nicht aufgezeichnet";
    OFF_TEXT = "This server has no auth.audit_client_secret, so it reads no sign-ins from the identity provider. The list below ends where recording ended.", "Dieser Server hat kein auth.audit_client_secret und liest darum keine Anmeldungen vom Identitätsanbieter. Die Liste unten endet, wo die Aufzeichnung endete.";
    NO_MATCH_TEXT = "No sign-in fits these filters.", "Keine Anmeldung passt zu diesen Filtern.";
    EMPTY_TITLE = "No vendor signed in yet", "Noch hat sich kein Anbieter angemeldet";
    EMPTY_TEXT = "Sign-ins show up here about a minute after they happen.", "Anmeldungen erscheinen hier etwa eine Minute, nachdem sie stattfanden.";
}
