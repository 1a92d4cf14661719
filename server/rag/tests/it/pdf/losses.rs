//! What a file has beside the text of its pages, and pages that break the rules.

use lopdf::{Object, Stream, dictionary};

use super::{pdf, read, text};

/// A page to which a file is attached, once for the document and once at a place.
pub(crate) fn with_an_attachment() -> Vec<u8> {
    let mut file = lopdf::Document::load_mem(&pdf("Notes", &[&["Seen"]])).unwrap();
    let attached = file.add_object(Stream::new(lopdf::Dictionary::new(), b"Secret".to_vec()));
    let attached = file.add_object(dictionary! {
        "Type" => "Filespec",
        "F" => Object::string_literal("prices.xlsx"),
        "EF" => dictionary! { "F" => Object::Reference(attached) },
    });
    let names = vec![Object::string_literal("prices.xlsx"), attached.into()];
    let names = file.add_object(dictionary! { "EmbeddedFiles" => dictionary! { "Names" => names } });
    file.catalog_mut().unwrap().set("Names", Object::Reference(names));
    let page = file.page_iter().next().unwrap();
    let place = dictionary! { "Subtype" => "FileAttachment", "FS" => Object::Reference(attached) };
    let page = file.get_object_mut(page).and_then(Object::as_dict_mut).unwrap();
    page.set("Annots", vec![Object::Dictionary(place)]);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_broken_operation_does_not_end_a_page() {
    let file = pdf("Notes", &[&["The fee is 30 euros.", "[] TJ ] 3 /]", "The office is open daily."]]);
    assert_eq!(text(&read(&file).unwrap()), ["The fee is 30 euros.\n\nThe office is open daily."]);
}
