//! Text of a page that nobody sees is left out and counted.

use lopdf::{Object, Stream, dictionary};
use rag::document::Omission;

use super::{pdf, read, text};

/// The text of a page and the number of its hidden lines, after a change of its file.
fn shown(content: &str, change: impl Fn(&mut lopdf::Document)) -> (String, u32) {
    let mut file = lopdf::Document::load_mem(&pdf("Notes", &[&[""]])).unwrap();
    let page = file.page_iter().next().unwrap();
    file.change_page_content(page, content.as_bytes().to_vec()).unwrap();
    change(&mut file);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    let read = read(&bytes).unwrap();
    (text(&read).join("\n"), read.omissions.get(&Omission::HiddenText).copied().unwrap_or(0))
}

fn page(file: &mut lopdf::Document) -> &mut lopdf::Dictionary {
    let page = file.page_iter().next().unwrap();
    file.get_object_mut(page).and_then(Object::as_dict_mut).unwrap()
}

fn line(y: u32, text: &str) -> String {
    format!("BT /F1 12 Tf 1 0 0 1 100 {y} Tm ({text}) Tj ET\n")
}

#[test]
fn text_outside_of_the_crop_box_is_left_out() {
    let content = line(820, "notes.indd 3") + &line(700, "The fee is 30 euros.") + &line(20, "12.03.2026 14:22");
    let crop = |file: &mut lopdf::Document| {
        page(file).set("CropBox", vec![50.into(), 50.into(), 545.into(), 792.into()]);
    };
    assert_eq!(shown(&content, crop), ("The fee is 30 euros.".to_owned(), 2));
    // A box without an area is none.
    let broken = |file: &mut lopdf::Document| page(file).set("CropBox", vec![Object::Integer(0); 4]);
    assert_eq!(shown(&content, broken).1, 0);
}

#[test]
fn text_outside_of_a_clipping_path_is_left_out() {
    let content = format!(
        "q 90 690 200 40 re W n\n{}{}Q\n{}",
        line(700, "The fee is 30 euros."),
        line(500, "Purchase price 12"),
        line(300, "Open daily.")
    );
    assert_eq!(shown(&content, |_| ()), ("The fee is 30 euros.\n\nOpen daily.".to_owned(), 1));
    // A number that crosses the edge is not torn.
    let crossing = content.replace("90 690 200 40 re", "90 690 70 40 re");
    assert_eq!(shown(&crossing, |_| ()).0, "The fee is 30 euros.\n\nOpen daily.");
    // The area of a path with curves is not known.
    let curved = content.replace("re W n", "re 90 690 m 100 700 200 700 290 690 c W n");
    assert_eq!(shown(&curved, |_| ()).1, 0);
}

#[test]
fn layers_that_are_off_are_left_out() {
    let content = format!(
        "/OC /Draft BDC\n{}EMC /OC /Final BDC\n{}EMC /OC /Either BDC\n{}EMC\n/Hidden Do",
        line(700, "The fee is 44 euros."),
        line(600, "The fee is 30 euros."),
        line(500, "Open daily.")
    );
    let change = |file: &mut lopdf::Document| {
        let layer = |name: &str| dictionary! { "Type" => "OCG", "Name" => Object::string_literal(name) };
        let [draft, last] = ["Draft", "Final"].map(|name| Object::Reference(file.add_object(layer(name))));
        let either = dictionary! { "Type" => "OCMD", "OCGs" => vec![draft.clone(), last.clone()] };
        let form = dictionary! {
            "Subtype" => "Form", "BBox" => vec![0.into(), 0.into(), 595.into(), 842.into()], "OC" => draft.clone(),
        };
        let form = file.add_object(Stream::new(form, line(400, "Draft of May").into_bytes()));
        let properties = dictionary! { "Draft" => draft.clone(), "Final" => last.clone(), "Either" => either };
        page(file).set(
            "Resources",
            dictionary! {
                "Font" => dictionary! { "F1" => Object::Reference((3, 0)) }, "Properties" => properties,
                "XObject" => dictionary! { "Hidden" => Object::Reference(form) },
            },
        );
        let all = vec![draft.clone(), last];
        file.catalog_mut()
            .unwrap()
            .set("OCProperties", dictionary! { "OCGs" => all, "D" => dictionary! { "OFF" => vec![draft] } });
    };
    assert_eq!(shown(&content, change), ("The fee is 30 euros.\n\nOpen daily.".to_owned(), 2));
}

#[test]
fn a_text_of_its_own_replaces_a_few_glyphs() {
    let content = "BT /F1 12 Tf 1 0 0 1 100 700 Tm (The o) Tj /Span << /ActualText (ffi) >> BDC (#) Tj EMC (ce opens.) Tj \
                   /Span << /ActualText (Other words) >> BDC ( Open daily.) Tj EMC ET";
    assert_eq!(shown(content, |_| ()).0, "The office opens. Open daily.");
}
