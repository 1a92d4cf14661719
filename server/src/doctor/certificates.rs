//! Checks the certificates of the https addresses in the settings: whether they are trusted, and for how many days.

use std::{io, time::Duration};

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use futures::future::join_all;
use tokio::net::TcpStream;
use tokio_rustls::{
    TlsConnector,
    rustls::{self, CertificateError, pki_types::ServerName},
};

use super::{Check, HttpsAddress, Subject, names, text::Text};

const TIMEOUT: Duration = Duration::from_secs(8);
/// Days before expiry from which a renewal is due.
const RENEWAL_DAYS: i64 = 21;

pub(super) async fn check(subject: &Subject) -> Vec<Check> {
    let addresses = &subject.settings.https;
    if addresses.is_empty() {
        let finding = text!("No address of the settings is https.", "Keine Adresse der Einstellungen ist https.");
        let base = url::Url::parse(&subject.base_url).ok();
        let is_local = base.is_some_and(|base| base.host_str().is_some_and(is_loopback));
        return vec![if is_local {
            Check::ok(names::CERTIFICATE, finding)
        } else {
            Check::warning(
                names::CERTIFICATE,
                finding,
                text!(
                    "Serve the platform over https and set http.base_url to that address.",
                    "Stellen Sie die Plattform über https bereit und setzen Sie http.base_url auf diese Adresse."
                ),
            )
        }];
    }
    join_all(addresses.iter().map(async |address| {
        let expiry = tokio::time::timeout(TIMEOUT, certificate(address)).await;
        let expiry = expiry.unwrap_or_else(|_| Err(TlsError::Unreachable("it took too long".to_owned())));
        judge(&expiry, Utc::now()).of(format!("{} ({}:{})", address.setting, address.host, address.port))
    }))
    .await
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.trim_matches(['[', ']']).parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
}

/// Why there is no certificate to check.
#[derive(Debug)]
enum TlsError {
    Unreachable(String),
    Refused(CertificateError),
}

/// When the certificate of an address ends. The connection trusts the same authorities as the platform's own calls.
async fn certificate(address: &HttpsAddress) -> Result<Option<DateTime<Utc>>, TlsError> {
    let unreachable = |error: io::Error| TlsError::Unreachable(error.to_string());
    let host = address.host.trim_matches(['[', ']']).to_owned();
    let stream = TcpStream::connect((host.as_str(), address.port)).await.map_err(unreachable)?;
    let name = ServerName::try_from(host).map_err(|error| TlsError::Unreachable(error.to_string()))?;
    let stream = TlsConnector::from(tls::config()).connect(name, stream).await.map_err(|error| {
        let cause = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
        match cause {
            Some(rustls::Error::InvalidCertificate(fault)) => TlsError::Refused(fault.clone()),
            _ => unreachable(error),
        }
    })?;
    let (_, session) = stream.get_ref();
    Ok(session.peer_certificates().and_then(|chain| not_after(chain.first()?)))
}

fn judge(expiry: &Result<Option<DateTime<Utc>>, TlsError>, now: DateTime<Utc>) -> Check {
    let until = match expiry {
        Ok(Some(until)) => *until,
        Ok(None) => {
            let finding = text!("It is trusted.", "Es ist vertrauenswürdig.");
            return Check::ok(names::CERTIFICATE, finding);
        }
        Err(TlsError::Unreachable(why)) => {
            return Check::failed(
                names::CERTIFICATE,
                Text::no_answer(why),
                text!(
                    "Check the address and that it is reached from here.",
                    "Prüfen Sie die Adresse und ob sie von hier erreichbar ist."
                ),
            );
        }
        Err(TlsError::Refused(fault)) => return Check::failed(names::CERTIFICATE, refusal(fault), renew()),
    };
    let (days, date, german_date) = ((until - now).num_days(), until.format("%Y-%m-%d"), until.format("%d.%m.%Y"));
    let finding = match days {
        1 => text!("Valid until {date}: 1 more day.", "Gültig bis {german_date}, noch 1 Tag."),
        _ => text!("Valid until {date}: {days} more days.", "Gültig bis {german_date}, noch {days} Tage."),
    };
    if days < RENEWAL_DAYS {
        return Check::warning(names::CERTIFICATE, finding, renew());
    }
    Check::ok(names::CERTIFICATE, finding)
}

fn refusal(fault: &CertificateError) -> Text {
    match fault {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            text!("It has expired.", "Es ist abgelaufen.")
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            text!("It is not valid yet.", "Es ist noch nicht gültig.")
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            text!("It is for another name.", "Es gilt für einen anderen Namen.")
        }
        CertificateError::UnknownIssuer => text!(
            "Its issuer is neither a public authority nor one of this machine or of tls.ca_file.",
            "Der Aussteller ist weder eine öffentliche Zertifizierungsstelle noch eine dieses Rechners oder aus tls.ca_file."
        ),
        _ => text!("It is not accepted.", "Es wird nicht akzeptiert."),
    }
}

fn renew() -> Text {
    text!(
        "Renew the certificate for this name, with its whole chain, and look after its automatic renewal.",
        "Erneuern Sie das Zertifikat für diesen Namen samt seiner Kette und prüfen Sie die automatische Erneuerung."
    )
}

/// The expiry of an X.509 certificate: the second time of the fifth field of its first part (RFC 5280, 4.1).
fn not_after(certificate: &[u8]) -> Option<DateTime<Utc>> {
    let (_, whole, _) = element(certificate)?;
    let (_, mut fields, _) = element(whole)?;
    // The optional version, serial number, algorithm and issuer come before the validity.
    let (tag, _, rest) = element(fields)?;
    if tag == 0xa0 {
        fields = rest;
    }
    for _ in 0..3 {
        fields = element(fields)?.2;
    }
    let (_, validity, _) = element(fields)?;
    let (tag, text, _) = element(element(validity)?.2)?;
    time(tag, std::str::from_utf8(text).ok()?)
}

/// The first element of DER: its tag, its content, and what follows.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = if first < 0x80 {
        (usize::from(first), rest)
    } else {
        let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
        if digits.len() > 4 {
            return None;
        }
        (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

/// A UTCTime (two digits for the year, from 1950 on) or a GeneralizedTime.
fn time(tag: u8, text: &str) -> Option<DateTime<Utc>> {
    const UTC_TIME: u8 = 0x17;
    let digits = text.strip_suffix('Z')?;
    let full = if tag == UTC_TIME {
        let century = if digits.get(..2)?.parse::<u8>().ok()? < 50 { "20" } else { "19" };
        format!("{century}{digits}")
    } else {
        digits.to_owned()
    };
    let date = NaiveDate::parse_from_str(full.get(..8)?, "%Y%m%d").ok()?;
    let number = |range: std::ops::Range<usize>| full.get(range)?.parse().ok();
    let moment: NaiveDateTime = date.and_hms_opt(number(8..10)?, number(10..12)?, number(12..14)?)?;
    Some(moment.and_utc())
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use chrono::TimeDelta;
    use contract::system_check::CheckStatus::{Failed, Ok as Fine, Warning};

    use super::*;

    /// A certificate for `expired.example`, valid in January 2020 only.
    const EXPIRED: &str = include_str!("expired.pem");

    fn expired() -> Vec<u8> {
        let text: String = EXPIRED.lines().filter(|line| !line.starts_with("-----")).collect();
        STANDARD.decode(text).unwrap()
    }

    #[test]
    fn the_end_of_a_certificate_is_read() {
        let end = not_after(&expired()).unwrap();
        assert_eq!(end.to_rfc3339(), "2020-01-31T12:00:00+00:00");
        for cut in 0..expired().len() {
            let _ = not_after(&expired()[..cut]);
        }
        assert_eq!(time(0x18, "20491231235959Z").unwrap().to_rfc3339(), "2049-12-31T23:59:59+00:00");
        assert_eq!(time(0x17, "991231235959Z").unwrap().to_rfc3339(), "1999-12-31T23:59:59+00:00");
    }

    #[test]
    fn a_certificate_that_ends_soon_or_is_refused_is_found() {
        let now = Utc::now();
        let of = |days: i64| judge(&Ok(Some(now + TimeDelta::days(days) + TimeDelta::hours(1))), now).status;
        assert_eq!([90, 10].map(of), [Fine, Warning]);
        for fault in [CertificateError::Expired, CertificateError::UnknownIssuer, CertificateError::NotValidForName] {
            assert_eq!(judge(&Err(TlsError::Refused(fault)), now).status, Failed);
        }
        assert_eq!(judge(&Err(TlsError::Unreachable("x".to_owned())), now).status, Failed);
    }

    #[tokio::test]
    async fn nobody_behind_the_address_is_found() {
        let address = HttpsAddress { setting: "auth.url".to_owned(), host: "127.0.0.1".to_owned(), port: 1 };
        assert!(matches!(certificate(&address).await, Err(TlsError::Unreachable(_))));
    }
}
