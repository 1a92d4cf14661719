//! Queries TXT records of a host name from one recursive resolver (RFC 1035). A proof of ownership needs no other parts
//! of DNS.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpStream, UdpSocket},
};
use uuid::Uuid;

/// The longest wait for an answer.
const TIMEOUT: Duration = Duration::from_secs(3);
/// The number of attempts, because a datagram may get lost.
const ATTEMPTS: usize = 2;
/// Maximum bytes of a datagram.
const MAX_DATAGRAM: usize = 4096;
/// Bytes of the head of a message.
const HEAD: usize = 12;
const TXT: u16 = 16;
const INTERNET: u16 = 1;
const NO_ERROR: u8 = 0;
const NO_SUCH_NAME: u8 = 3;

/// The first usable `nameserver` of `/etc/resolv.conf`.
pub(crate) fn system_resolver() -> Option<IpAddr> {
    resolver_of(&std::fs::read_to_string("/etc/resolv.conf").ok()?)
}

fn resolver_of(text: &str) -> Option<IpAddr> {
    let words = text.lines().map(|line| {
        let mut words = line.split_whitespace();
        (words.next(), words.next())
    });
    words.filter(|(key, _)| *key == Some("nameserver")).find_map(|(_, value)| value?.parse().ok())
}

/// The TXT records of a name; `None` when the resolver gives no usable response. A name that does not exist has no records.
pub(super) async fn txt(resolver: SocketAddr, name: &str) -> Option<Vec<Vec<u8>>> {
    let Some(query) = query(name) else { return Some(Vec::new()) };
    for _ in 0..ATTEMPTS {
        if let Ok(Ok(answer)) = tokio::time::timeout(TIMEOUT, ask(resolver, &query)).await
            && is_known(&answer)
        {
            return records(&answer, query.len());
        }
    }
    None
}

/// The query for the records of a name; `None` for an invalid name.
fn query(name: &str) -> Option<Vec<u8>> {
    // A random id, the flag for recursion, and one question.
    let mut query = Uuid::new_v4().as_bytes()[..2].to_vec();
    query.extend([1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    for label in name.trim_end_matches('.').split('.') {
        let length = u8::try_from(label.len()).ok().filter(|length| (1..=63).contains(length))?;
        query.push(length);
        query.extend(label.as_bytes());
    }
    query.push(0);
    query.extend(TXT.to_be_bytes());
    query.extend(INTERNET.to_be_bytes());
    (name.len() <= 253).then_some(query)
}

async fn ask(resolver: SocketAddr, query: &[u8]) -> io::Result<Vec<u8>> {
    let local: IpAddr = if resolver.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((local, 0)).await?;
    // Connected sockets do not receive datagrams from others.
    socket.connect(resolver).await?;
    socket.send(query).await?;
    let mut answer = vec![0; MAX_DATAGRAM];
    loop {
        let length = socket.recv(&mut answer).await?;
        let received = &answer[..length];
        if !is_answer(received, query) {
            continue;
        }
        let is_cut = received[2] & 2 != 0;
        return if is_cut { ask_in_a_stream(resolver, query).await } else { Ok(received.to_vec()) };
    }
}

/// Repeats the query over TCP, for a response that is too long for a datagram.
async fn ask_in_a_stream(resolver: SocketAddr, query: &[u8]) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(resolver).await?;
    let length = u16::try_from(query.len()).map_err(io::Error::other)?;
    stream.write_all(&[&length.to_be_bytes()[..], query].concat()).await?;
    let length = stream.read_u16().await?;
    let mut answer = vec![0; length.into()];
    stream.read_exact(&mut answer).await?;
    if is_answer(&answer, query) { Ok(answer) } else { Err(io::ErrorKind::InvalidData.into()) }
}

/// Whether a message answers this very question.
fn is_answer(message: &[u8], query: &[u8]) -> bool {
    message.len() >= query.len()
        && message[..2] == query[..2]
        && message[2] & 0x80 != 0
        && message[HEAD..query.len()].eq_ignore_ascii_case(&query[HEAD..])
}

/// Whether the response says which records there are, or that there are none. Otherwise the resolver failed.
fn is_known(answer: &[u8]) -> bool {
    matches!(answer[3] & 0x0F, NO_ERROR | NO_SUCH_NAME)
}

/// The TXT records of a response whose question ends at `at`; `None` when it is malformed.
fn records(answer: &[u8], mut at: usize) -> Option<Vec<Vec<u8>>> {
    let mut records = Vec::new();
    for _ in 0..number(answer, 6)? {
        at = after_name(answer, at)?;
        let (kind, class, length) = (number(answer, at)?, number(answer, at + 2)?, number(answer, at + 8)?);
        let end = at + 10 + usize::from(length);
        let data = answer.get(at + 10..end)?;
        if (kind, class) == (TXT, INTERNET) {
            records.push(joined(data)?);
        }
        at = end;
    }
    Some(records)
}

fn number(message: &[u8], at: usize) -> Option<u16> {
    let bytes = message.get(at..at + 2)?;
    Some(u16::from_be_bytes([bytes[0], bytes[1]]))
}

/// The position after a name, which ends with an empty label, or with a pointer to the rest of it.
fn after_name(message: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match *message.get(at)? {
            0 => return Some(at + 1),
            length if length & 0xC0 == 0xC0 => return Some(at + 2),
            length => at += 1 + usize::from(length),
        }
    }
}

/// The strings of a record as one.
fn joined(mut data: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    while let Some((length, rest)) = data.split_first() {
        let (part, rest) = rest.split_at_checked(usize::from(*length))?;
        text.extend(part);
        data = rest;
    }
    Some(text)
}

#[cfg(test)]
mod tests;
