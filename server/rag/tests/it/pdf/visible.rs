//! Text of a page that nobody sees is left out and counted.

use lopdf::{Object, Stream, dictionary};
use rag::document::Omission;

use super::{pdf, read, text};

/// The text of a page and the number of its hidden lines, after a change of its file.
fn visible_text(content: &str, change: impl Fn(&mut lopdf::Document)) -> (String, u32) {
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
    assert_eq!(visible_text(&content, crop), ("The fee is 30 euros.".to_owned(), 2));
    // A box without an area is none.
    let broken = |file: &mut lopdf::Document| page(file).set("CropBox", vec![Object::Integer(0); 4]);
    assert_eq!(visible_text(&content, broken).1, 0);
}

#[test]
fn text_outside_of_a_clipping_path_is_left_out() {
    let content = format!(
        "q 90 690 200 40 re W n\n{}{}Q\n{}",
        line(700, "The fee is 30 euros."),
        line(500, "Purchase price 12"),
        line(300, "Open daily.")
    );
    assert_eq!(visible_text(&content, |_| ()), ("The fee is 30 euros.\n\nOpen daily.".to_owned(), 1));
    // A number that crosses the edge is not torn.
    let crossing = content.replace("90 690 200 40 re", "90 690 70 40 re");
    assert_eq!(visible_text(&crossing, |_| ()).0, "The fee is 30 euros.\n\nOpen daily.");
    // The area of a path with curves is not known.
    let curved = content.replace("re W n", "re 90 690 m 100 700 200 700 290 690 c W n");
    assert_eq!(visible_text(&curved, |_| ()).1, 0);
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
    assert_eq!(visible_text(&content, change), ("The fee is 30 euros.\n\nOpen daily.".to_owned(), 2));
}

#[test]
fn a_text_of_its_own_replaces_a_few_glyphs() {
    let content = "BT /F1 12 Tf 1 0 0 1 100 700 Tm (The o) Tj /Span << /ActualText (ffi) >> BDC (#) Tj EMC (ce opens.) Tj \
                   /Span << /ActualText (Other words) >> BDC ( Open daily.) Tj EMC ET";
    assert_eq!(visible_text(content, |_| ()).0, "The office opens. Open daily.");
}

#[test]
fn white_letters_are_read_only_on_a_ground() {
    let bar = "0.1 0.2 0.6 rg 90 690 300 24 re f 1 g ";
    let content = format!(
        "{bar}{}0 g {}1 1 1 rg {}0 0 0 0 k {}",
        line(696, "Fees are due in May."),
        line(640, "The fee is 30 euros."),
        line(600, "Purchase price 12"),
        line(560, "Internal note"),
    );
    let (text, hidden_lines) = visible_text(&content, |_| ());
    assert!(text.contains("Fees are due in May.") && text.contains("The fee is 30 euros."), "{text}");
    assert!(!text.contains("Purchase") && !text.contains("Internal"), "{text}");
    assert_eq!(hidden_lines, 2);
    // No ink of a named color is white as well, and its full tint is not.
    let inks = format!(
        "0 g {}/Spot cs 0 scn {}1 scn {}",
        line(640, "The fee is 30 euros."),
        line(600, "Internal note"),
        line(560, "Open daily.")
    );
    let change = |file: &mut lopdf::Document| {
        let tint = file.add_object(dictionary! { "FunctionType" => 2, "N" => 1 });
        let spot: Vec<Object> = vec!["Separation".into(), "Blue".into(), "DeviceCMYK".into(), tint.into()];
        let font = dictionary! { "F1" => Object::Reference((3, 0)) };
        page(file).set("Resources", dictionary! { "Font" => font, "ColorSpace" => dictionary! { "Spot" => spot } });
    };
    assert_eq!(visible_text(&inks, change), ("The fee is 30 euros.\n\nOpen daily.".to_owned(), 1));
}

#[test]
fn letters_that_are_not_painted_are_read_only_on_an_image() {
    let content =
        format!("{}3 Tr {}0 Tr {}", line(700, "The fee is"), line(660, "Internal note"), line(620, "30 euros."));
    let (text, hidden_lines) = visible_text(&content, |_| ());
    assert_eq!((text.contains("Internal"), hidden_lines), (false, 1), "{text}");
    // The recognised text of a page that is an image stands below or on it.
    let scanned = format!(
        "3 Tr {}0 Tr q 595 0 0 842 0 0 cm /Scan Do Q {}",
        line(700, "The fee is 30 euros."),
        line(40, "Page 1")
    );
    let change = |file: &mut lopdf::Document| {
        let image = dictionary! { "Subtype" => "Image", "Width" => 1, "Height" => 1, "BitsPerComponent" => 8, "ColorSpace" => "DeviceGray" };
        let image = file.add_object(Stream::new(image, vec![200]));
        let font = dictionary! { "F1" => Object::Reference((3, 0)) };
        page(file).set("Resources", dictionary! { "Font" => font, "XObject" => dictionary! { "Scan" => image } });
    };
    let (text, hidden_lines) = visible_text(&scanned, change);
    assert_eq!((text.contains("The fee is 30 euros."), hidden_lines), (true, 0), "{text}");
    // Where nothing else is shown, the letters are painted in a way that is not known.
    assert_eq!(visible_text(&format!("3 Tr {}", line(700, "The fee is 30 euros.")), |_| ()).0, "The fee is 30 euros.");
}

#[test]
fn what_is_painted_over_is_left_out() {
    let old = line(700, "The fee is 44 euros.");
    let new = line(700, "The fee is 30 euros.");
    let content = format!("{old}1 g 90 690 300 30 re f 0 g {new}{}", line(600, "Open daily."));
    assert_eq!(visible_text(&content, |_| ()), ("The fee is 30 euros.\n\nOpen daily.".to_owned(), 1));
    // A marker lets the text show through, and a frame has no area.
    let transparent =
        dictionary! { "Marker" => dictionary! { "ca" => 0.4 }, "Multiply" => dictionary! { "BM" => "Multiply" } };
    for over in
        ["/Marker gs 1 1 0 rg 90 690 300 30 re f", "/Multiply gs 1 1 0 rg 90 690 300 30 re f", "90 690 300 30 re S"]
    {
        let change = |file: &mut lopdf::Document| {
            let font = dictionary! { "F1" => Object::Reference((3, 0)) };
            page(file).set("Resources", dictionary! { "Font" => font, "ExtGState" => transparent.clone() });
        };
        assert_eq!(visible_text(&format!("{new}{over}"), change), ("The fee is 30 euros.".to_owned(), 0), "{over}");
    }
}
