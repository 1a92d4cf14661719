use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use super::*;

const LIMIT: u64 = 10_000_000;

/// The body in pieces of this size, and a counter of the bytes that were read of it.
fn body(bytes: Vec<u8>, size: usize) -> (impl Stream<Item = ApiResult<Bytes>> + Unpin, Arc<AtomicUsize>) {
    let read = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&read);
    let pieces: Vec<Bytes> = bytes.chunks(size).map(Bytes::copy_from_slice).collect();
    let counted = stream::iter(pieces).map(move |piece| {
        counter.fetch_add(piece.len(), Ordering::Relaxed);
        Ok(piece)
    });
    (counted, read)
}

type Read = Vec<(Option<String>, Vec<u8>)>;

/// The file names and contents of a form.
async fn read(bytes: &[u8], size: usize) -> ApiResult<Read> {
    let mut form = Form::new(body(bytes.to_vec(), size).0, "limit", LIMIT);
    let mut parts = Vec::new();
    while let Some(part) = form.next_part().await? {
        let mut content = Vec::new();
        let mut pieces = Box::pin(form.content());
        while let Some(piece) = pieces.next().await {
            content.extend_from_slice(&piece?);
        }
        drop(pieces);
        parts.push((part.file_name, content));
    }
    Ok(parts)
}

fn part(name: &str, content: &str) -> String {
    format!("--limit\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{content}\r\n")
}

#[tokio::test]
async fn parts_are_the_same_however_the_body_is_cut() {
    let tricky = "\r\n--limi\r\n--\r\n\r\n-- limit\r--limit\r\n\r";
    let parts = [part("", ""), part("a.md", tricky), part("ä \\\"b\\.md", "x")].concat();
    let text = format!("before\r\n{parts}--limit--after");
    let expected: Read = [("", ""), ("a.md", tricky), ("ä \"b\\.md", "x")]
        .map(|(name, content)| (Some(name.to_owned()), content.as_bytes().to_vec()))
        .into();
    for size in [1, 2, 3, 7, 64, 100_000] {
        assert_eq!(read(text.as_bytes(), size).await.unwrap(), expected, "{size}");
    }
}

#[tokio::test]
async fn a_form_that_is_not_one_is_refused() {
    for text in [
        "",
        "--limit",
        "no boundary at all",
        "--limit\r\n",
        "--limitless\r\n\r\n\r\n--limit--",
        "--limit\r\nno header\r\n\r\nx\r\n--limit--",
        &part("a.md", "no end"),
        "--limit\r\nContent-Disposition: form-data; filename=\"\u{ff}\"\r\n\r\nx\r\n--other--",
    ] {
        for size in [1, 1000] {
            let error = read(text.as_bytes(), size).await.unwrap_err();
            assert_eq!(error.into_body().errors[0].kind, "multipart", "{text}");
        }
    }
}

#[tokio::test]
async fn what_is_no_content_is_refused_after_16_kib() {
    let filler = "x".repeat(1_000_000);
    let almost = "\r\n--limi".repeat(100_000);
    for text in [
        filler.clone(),
        almost,
        format!("{filler}\r\n{}--limit--", part("a.md", "x")),
        format!("--limit\r\nX: {filler}"),
        format!("--limit\r\n{}", "X: y\r\n".repeat(100_000)),
        format!("--limit{}", " ".repeat(1_000_000)),
        format!("{}--limit--{filler}", part("a.md", "x")),
    ] {
        for size in [1, 1000, 64 * 1024] {
            let (body, count) = body(text.clone().into_bytes(), size);
            let mut form = Form::new(body, "limit", LIMIT);
            let error = loop {
                match form.next_part().await {
                    Ok(Some(_)) => while form.piece().await.unwrap().is_some() {},
                    Ok(None) => panic!("{} was read", &text[..20]),
                    Err(error) => break error,
                }
            };
            assert_eq!(error.into_body().errors[0].kind, "multipart");
            let read = count.load(Ordering::Relaxed);
            assert!(read <= MAX_OTHER + size + 200, "{read} bytes of {} in pieces of {size}", &text[..20]);
            assert!(form.buffer.capacity() <= 4 * (MAX_OTHER + size), "{}", form.buffer.capacity());
        }
    }
}

#[tokio::test]
async fn contents_are_handed_on_and_not_collected() {
    let text = format!("{}--limit--", part("a.md", &"x".repeat(5_000_000)));
    let mut form = Form::new(body(text.into_bytes(), 10_000).0, "limit", LIMIT);
    form.next_part().await.unwrap().unwrap();
    let mut bytes = 0;
    while let Some(piece) = form.piece().await.unwrap() {
        bytes += piece.len();
        assert!(form.buffer.len() < 100);
    }
    assert_eq!((bytes, form.next_part().await.unwrap()), (5_000_000, None));
}

#[tokio::test]
async fn the_whole_body_is_bounded() {
    let text = format!("{}--limit--", part("a.md", &"x".repeat(5_000)));
    let mut form = Form::new(body(text.into_bytes(), 100).0, "limit", 1_000);
    form.next_part().await.unwrap().unwrap();
    let error = loop {
        if let Err(error) = form.piece().await {
            break error;
        }
    };
    assert_eq!(error.status(), 413);
}

#[test]
fn the_boundary_is_a_parameter_of_the_content_type() {
    let of = |text: &str| boundary(text);
    assert_eq!(of("multipart/form-data; boundary=limit").as_deref(), Some("limit"));
    assert_eq!(of("Multipart/Form-Data; charset=\"a;b\"; Boundary=\"li mit\"; x=y").as_deref(), Some("li mit"));
    for text in
        ["multipart/mixed; boundary=limit", "multipart/form-data", "multipart/form-data; boundary=\"\"", "text/plain"]
    {
        assert_eq!(of(text), None, "{text}");
    }
    assert_eq!(of(&format!("multipart/form-data; boundary={}", "x".repeat(71))), None);
}
