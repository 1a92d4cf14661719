//! A resolver that responds over UDP and TCP.

use tokio::net::TcpListener;

use super::*;

const NAME: &str = "_chatbot-verification.example.com";

/// A response with these records and `flags`.
fn answer(query: &[u8], flags: u8, records: &[(u16, &[u8])]) -> Vec<u8> {
    let mut answer = query.to_vec();
    answer[2] = flags;
    answer[7] = u8::try_from(records.len()).unwrap();
    for (kind, data) in records {
        // A pointer to the question's name, kind, class and time to live.
        answer.extend([0xC0, 12]);
        answer.extend(kind.to_be_bytes());
        answer.extend([0, 1, 0, 0, 0, 60]);
        answer.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        answer.extend(*data);
    }
    answer
}

#[tokio::test]
async fn records_are_joined_and_others_passed_over() {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let resolver = socket.local_addr().unwrap();
    let server = tokio::spawn(async move {
        let mut query = [0; 512];
        let (length, from) = socket.recv_from(&mut query).await.unwrap();
        let query = &query[..length];
        assert!(query.ends_with(b"\x15_chatbot-verification\x07example\x03com\0\0\x10\0\x01"), "{query:?}");
        // A response to another question is ignored.
        let mut foreign = answer(query, 0x81, &[(TXT, b"\x06forged")]);
        foreign[0] ^= 1;
        socket.send_to(&foreign, from).await.unwrap();
        let alias = b"\x05proof\xC0\x22".as_slice();
        let response = answer(query, 0x81, &[(5, alias), (TXT, b"\x02to\x03ken"), (TXT, b"\x05other")]);
        socket.send_to(&response, from).await.unwrap();
    });
    assert_eq!(txt(resolver, NAME).await.unwrap(), [b"token".to_vec(), b"other".to_vec()]);
    server.await.unwrap();
}

#[tokio::test]
async fn an_answer_that_was_cut_is_asked_for_in_a_stream() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let resolver = listener.local_addr().unwrap();
    let socket = UdpSocket::bind(resolver).await.unwrap();
    tokio::spawn(async move {
        let mut query = [0; 512];
        let (length, from) = socket.recv_from(&mut query).await.unwrap();
        socket.send_to(&answer(&query[..length], 0x83, &[]), from).await.unwrap();
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut query = vec![0; stream.read_u16().await.unwrap().into()];
        stream.read_exact(&mut query).await.unwrap();
        let response = answer(&query, 0x81, &[(TXT, b"\x05token")]);
        stream.write_u16(u16::try_from(response.len()).unwrap()).await.unwrap();
        stream.write_all(&response).await.unwrap();
    });
    assert_eq!(txt(resolver, NAME).await.unwrap(), [b"token".to_vec()]);
}

#[tokio::test]
async fn a_resolver_that_knows_nothing_is_not_a_name_without_records() {
    const SERVER_FAILURE: u8 = 2;
    const REFUSED: u8 = 5;
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let resolver = socket.local_addr().unwrap();
    tokio::spawn(async move {
        // The first two are the attempts of one call.
        for code in [SERVER_FAILURE, REFUSED, NO_SUCH_NAME, SERVER_FAILURE, NO_ERROR] {
            let mut query = [0; 512];
            let (length, from) = socket.recv_from(&mut query).await.unwrap();
            let mut response = answer(&query[..length], 0x81, &[]);
            response[3] = code;
            socket.send_to(&response, from).await.unwrap();
        }
    });
    assert_eq!(txt(resolver, NAME).await, None);
    assert_eq!(txt(resolver, NAME).await, Some(Vec::new()));
    assert_eq!(txt(resolver, NAME).await, Some(Vec::new()), "at the second attempt");
}

#[test]
fn messages_that_break_the_rules_have_no_records() {
    let query = query(NAME).unwrap();
    let whole = answer(&query, 0x81, &[(TXT, b"\x05token")]);
    assert_eq!(records(&whole, query.len()).unwrap(), [b"token".to_vec()]);
    for length in query.len()..whole.len() {
        assert_eq!(records(&whole[..length], query.len()), None, "{length}");
    }
    let too_long = answer(&query, 0x81, &[(TXT, b"\x09token")]);
    assert_eq!(records(&too_long, query.len()), None);
    assert!(records(&answer(&query, 0x81, &[]), query.len()).unwrap().is_empty());
}

#[test]
fn a_name_that_is_none_is_not_asked_for() {
    let long = format!("{}.example.com", "a".repeat(64));
    let far = ["a".repeat(60).as_str(); 5].join(".");
    for name in ["", "a..b", long.as_str(), far.as_str()] {
        assert_eq!(query(name), None, "{name}");
    }
}

#[test]
fn the_first_resolver_of_the_system_is_asked() {
    let text = "# x\nsearch example.com\nnameserver fe80::1%eth0\n nameserver 192.0.2.53\nnameserver ::1\n";
    assert_eq!(resolver_of(text), Some("192.0.2.53".parse().unwrap()));
    assert_eq!(resolver_of("options edns0\nnameserver\n"), None);
}
