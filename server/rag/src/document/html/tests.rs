use super::*;
use crate::document::{Omission, Section};

fn read(text: &str) -> (Option<String>, Vec<Section>) {
    let content = content(text);
    (content.title, content.sections)
}

const PAGE: &str = r#"<html><head><title>Chapter 1.  Basics</title><style>p{}</style></head><body>
    <div class="navheader">Prev Next</div><header><a href="/">Site</a></header>
    <h1><a id="basics"></a>Basics</h1><p>Use <code>apt</code>
    often.</p><script>alert(1)</script>
    <section id="tools"><h2>Tools</h2><ul><li><p>Update:</p><pre>
apt update

apt upgrade
</pre><p>(do this often)</p></li><li>Two</li></ul>
    <dl><dt>foo</dt><dd><p>A program.</p></dd></dl></section>
    <h2>Files</h2><table><tr><th>Name</th><th>Use</th></tr><tr><td><p>a.txt</p></td><td>text</td></tr></table>
    <footer>Imprint</footer></body></html>"#;

#[test]
fn a_page_gives_its_own_text_and_nothing_around_it() {
    let (title, sections) = read(PAGE);
    assert_eq!(title.as_deref(), Some("Chapter 1. Basics"));
    assert_eq!(sections[0].text, "Use `apt` often.");
    assert_eq!(sections[0].anchor.as_deref(), Some("basics"));
    let tools = "- Update:\n\n```\napt update\n\napt upgrade\n```\n\n(do this often)\n\n- Two\n- foo: A program.";
    assert_eq!(sections[1].text, tools);
    assert_eq!(sections[1].anchor.as_deref(), Some("tools"));
    assert_eq!(sections[2].text, "| Name | Use |\n|---|---|\n| a.txt | text |");
    assert_eq!((sections[2].anchor.as_deref(), sections.len()), (None, 3));
}

#[test]
fn a_page_with_a_main_part_is_that_part() {
    let (_, sections) = read("<body><p>Buy now</p><main><p>The text.</p></main></body>");
    assert_eq!(sections.len(), 1);
    assert_eq!(sections[0].text, "The text.");
}

#[test]
fn a_button_that_opens_a_section_is_its_title() {
    let page = r#"<body><h2><button>How do I pay?</button></h2><div><p>By card. <button>Copy</button></p></div>
        <h2>Delivery <button>Link</button></h2><p>Two days.</p></body>"#;
    let (_, sections) = read(page);
    let texts: Vec<_> =
        sections.iter().map(|section| (section.heading_path.as_slice(), section.text.as_str())).collect();
    assert_eq!(
        texts,
        [(["How do I pay?".to_owned()].as_slice(), "By card."), (["Delivery".to_owned()].as_slice(), "Two days.")]
    );
}

#[test]
fn soft_hyphens_are_left_out() {
    let (_, sections) = read("<body><h2>Rück&shy;gabe</h2><p>Das Rück&shy;gabe&shy;recht gilt.</p></body>");
    assert_eq!(
        (sections[0].heading_path[0].as_str(), sections[0].text.as_str()),
        ("Rückgabe", "Das Rückgaberecht gilt.")
    );
}

#[test]
fn text_that_a_script_would_show_is_kept() {
    let (_, sections) = read("<body><h2>Hours</h2><div hidden><p>We open at nine.</p></div></body>");
    assert_eq!(sections[0].text, "We open at nine.");
}

#[test]
fn a_list_that_only_leads_to_other_pages_is_left_out() {
    let page = r##"<body><p>Text.</p><h2>Related topics</h2><ul><li><a href="a.html">Orders</a></li>
        <li><a href="b.html">Returns</a></li></ul>
        <h2>Contact</h2><ul><li><a href="tel:1">0800 1</a></li><li><a href="mailto:a@b.example">a@b.example</a></li></ul>
        <h2>Steps</h2><ol><li><a href="c.html">Open</a> the page.</li><li>Sign the <a href="d.html">form</a>.
        <ul><li><a href="e.html">Form A</a></li><li><a href="f.html">Form B</a></li></ul></li></ol></body>"##;
    let (_, sections) = read(page);
    let texts: Vec<&str> = sections.iter().map(|section| section.text.as_str()).collect();
    assert_eq!(texts, ["Text.", "- 0800 1\n- a@b.example", "1. Open the page.\n2. Sign the form."]);
}

#[test]
fn a_sidebar_is_left_out_when_it_is_navigation() {
    let page = r#"<body><p>Text.</p><div class="sidebar"><p>A box of the manual, see <a href="a.html">there</a>.</p></div>
        <div class="sidebar"><a href="a.html">Orders</a> <a href="b.html">Returns</a></div></body>"#;
    let (_, sections) = read(page);
    assert_eq!(sections[0].text, "Text.\n\nA box of the manual, see there.");
}

#[test]
fn boilerplate_of_manuals_is_left_out() {
    let page = r##"<body><a id="skip-link" href="#end">Skip</a><div id="banner"><a href="/get"><span>Download the ebook</span></a></div>
        <ol aria-label="Breadcrumb"><li>Manual</li></ol>
        <p itemscope itemtype="https://schema.org/BreadcrumbList"><a href="/">Manual</a> / Tools</p>
        <h2>Tools<a class="header-anchor" href="#tools">#</a></h2><p>Text.</p>
        <div class="related"><h3>Related</h3><a href="a.html">Orders and returns</a></div>
        <div class="prev-next-area"><a href="a.html">Basics</a></div><p id="end">The end.</p></body>"##;
    let (_, sections) = read(page);
    assert_eq!(sections.len(), 1);
    assert_eq!(sections[0].heading_path, ["Tools"]);
    assert_eq!(sections[0].text, "Text.\n\nThe end.");
}

#[test]
fn text_with_a_name_of_boilerplate_stays() {
    let page = r#"<body><div id="banner">Closed today. <a href="/hours">Hours</a></div>
        <div class="related"><p>Two related terms are explained in <a href="a.html">the glossary</a>.</p></div>
        <h2 id="navigation">Navigation</h2><p>Use the arrow keys.</p>
        <section id="menu"><h2><a id="menu"/>Menu</h2><p>Soup.</p></section>
        <div class="section" id="pagination"><h2>Pagination</h2><p>Pages have numbers.</p></div></body>"#;
    let (_, sections) = read(page);
    let texts: Vec<&str> = sections.iter().map(|section| section.text.as_str()).collect();
    let first = "Closed today. Hours\n\nTwo related terms are explained in the glossary.";
    assert_eq!(texts, [first, "Use the arrow keys.", "Soup.", "Pages have numbers."]);
    assert_eq!(sections[1].heading_path, ["Navigation"]);
}

#[test]
fn a_table_that_draws_a_box_around_a_note_is_a_paragraph() {
    let note = |text: &str| {
        format!(
            r#"<table><tr><td rowspan="2"><img src="n.png"></td><th>Caution</th></tr><tr><td>{text}</td></tr></table>"#
        )
    };
    let page = format!("<body><p>Copy it.</p>{}{}</body>", note("<p>Nothing is kept.</p>"), note(""));
    let (_, sections) = read(&page);
    assert_eq!(sections[0].text, "Copy it.\n\nCaution: Nothing is kept.\n\nCaution");
    let table = "<body><table><tr><th></th><th>Price</th></tr><tr><td>Card</td><td>5</td></tr></table></body>";
    assert_eq!(read(table).1[0].text, "|  | Price |\n|---|---|\n| Card | 5 |");
}

#[test]
fn each_cell_belongs_to_the_heading_above_it() {
    let page = "<body><table><tr><td>News</td><td><h2>Hours</h2><p>Nine to five.</p></td><td>Ring twice.</td></tr>
        <tr><td><h2>Fees</h2><table><tr><td>Two euros.</td></tr></table></td></tr></table><p>End.</p></body>";
    let (_, sections) = read(page);
    let texts: Vec<_> = sections.iter().map(|section| (section.heading_path.concat(), section.text.as_str())).collect();
    let expected =
        [("", "News"), ("Hours", "| Nine to five. | Ring twice. |\n|---|---|"), ("Fees", "Two euros.\n\nEnd.")];
    assert_eq!(texts, expected.map(|(heading, text)| (heading.to_owned(), text)));
}

#[test]
fn cells_next_to_spanning_cells_stay_in_their_columns() {
    let page = r#"<body><table><thead><tr><th rowspan="9">Day</th><th>From</th><th>To</th></tr></thead>
        <tr><td rowspan="2">Monday</td><td>9</td><td>12</td></tr><tr><td>14</td><td>18</td></tr>
        <tr><td>Sunday</td><td colspan="2">closed</td></tr></table>
        <p>Fees:</p><table><tr><th></th><th colspan="2">Adults</th><th>Children</th></tr>
        <tr><td>Fee</td><td>10</td><td rowspan="2">8</td><td>5</td></tr><tr><td>Deposit</td><td>2</td><td>1</td></tr></table>"#;
    let days =
        "| Day | From | To |\n|---|---|---|\n| Monday | 9 | 12 |\n| Monday | 14 | 18 |\n| Sunday | closed | closed |";
    let fees = "|  | Adults | Adults | Children |\n|---|---|---|---|\n| Fee | 10 | 8 | 5 |\n| Deposit | 2 | 8 | 1 |";
    assert_eq!(read(page).1[0].text, format!("{days}\n\nFees:\n\n{fees}"));
    let wide = "<body><table><tr><td colspan=9999999999>a</td><td>b</td></tr><tr><td colspan=1000>c</td></tr></table>";
    assert!(read(wide).1[0].text.len() < 1_000);
}

#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    let page = format!("{}deep{}", "<div>".repeat(3_000), "</div>".repeat(3_000));
    assert_eq!(read(&page).1[0].text, "deep");
}

/// The text of a page with its headings, and the number of struck and of hidden parts.
fn page_text(body: &str) -> (String, [u32; 2]) {
    let content =
        super::content(&format!("<!doctype html><html><head><title>T</title></head><body>{body}</body></html>"));
    let lines =
        content.sections.iter().flat_map(|section| section.heading_path.last().into_iter().chain([&section.text]));
    let count = |kind| content.omissions.get(&kind).copied().unwrap_or_default();
    let counts = [count(Omission::StruckText), count(Omission::HiddenText)];
    (lines.cloned().collect::<Vec<_>>().join("\n"), counts)
}

fn text_of_page(body: &str) -> String {
    page_text(body).0
}

#[test]
fn the_part_with_most_of_the_text_is_read_whatever_its_tag() {
    let text = "The museum is open from Tuesday to Sunday, 10 am to 6 pm. On Mondays it is closed.";
    for (open, close) in [
        (r#"<form id="aspnetForm" method="post"><input type="hidden" name="__VIEWSTATE"><input name="q">"#, "</form>"),
        ("<aside>", "</aside>"),
        ("<footer>", "</footer>"),
        ("<nav>", "</nav>"),
        (r#"<div class="menu">"#, "</div>"),
        (r#"<div id="footer">"#, "</div>"),
        ("<header>", "</header>"),
        ("<dialog open>", "</dialog>"),
        (r#"<div aria-hidden="true">"#, "</div>"),
        (r#"<div style="display: none">"#, "</div>"),
        ("<div hidden>", "</div>"),
        ("<noscript>", "</noscript>"),
        (r#"<app-root><template shadowrootmode="open">"#, "</template></app-root>"),
        ("<template>", "</template>"),
        ("<main></main><div>", "</div>"),
        ("<main hidden><p>Cookie settings</p></main><main>", "</main>"),
        ("<article><h2>News</h2></article><div>", "</div>"),
    ] {
        let page = format!("<a href='/a'>Home</a>{open}<h1>Hours</h1><p>{text}</p>{close}<button>Up</button>");
        assert!(text_of_page(&page).contains(text), "{open}");
    }
}

#[test]
fn forms_dialogs_and_copies_are_left_out() {
    let text = "<p>The new model of the ferry arrives in May, and it is a large one.</p>";
    for around in [
        r#"<form action="/n"><label>Your mail address</label><input name="m"><button>Subscribe</button></form>"#,
        r#"<form><p>Stay up to date</p><input type="email"></form>"#,
        r#"<div role="dialog" aria-label="Cookies"><p>We use cookies to measure what you do on this website. Choose which ones we may store.</p></div>"#,
        r#"<div id="cookie-consent-banner"><p>This website stores small files on your device, as explained in the policy.</p></div>"#,
        r#"<div class="slick-cloned" aria-hidden="true"><p>The new model of the ferry arrives soon.</p></div>"#,
        r#"<i aria-hidden="true">arrow_right</i>"#,
        "<noscript><p>Please enable JavaScript in your browser to see this website.</p></noscript>",
        "<template><p>{{ name }} costs {{ price }} euros in our shop.</p></template>",
    ] {
        assert_eq!(
            text_of_page(&format!("{text}{around}")),
            "The new model of the ferry arrives in May, and it is a large one.",
            "{around}"
        );
    }
}

#[test]
fn a_form_with_a_price_is_text() {
    let page = "<h1>Lamp</h1><p>A lamp of brass with a long cable and a switch, made by hand in our workshop.</p>
        <form><p>19.90 euros</p><label>Amount</label><input name=n><button>Add</button></form>";
    assert!(text_of_page(page).contains("19.90 euros"));
}

#[test]
fn panels_of_accordions_and_tabs_are_read_under_their_titles() {
    let intro = "<h2>Cards</h2><p>The card is valid for eighteen months, counted from the first day.</p>";
    let answer = "Renew it at the desk.";
    for panel in [
        r#"<button aria-controls="a" aria-expanded="false">How do I renew it?</button><div id="a" aria-hidden="true">A</div>"#,
        r##"<p><a class="btn" data-toggle="collapse" href="#a">How do I renew it?</a></p><div class="collapse" id="a">A</div>"##,
        r##"<button data-bs-toggle="collapse" data-bs-target="#a">How do I renew it?</button><div class="collapse" id="a">A</div>"##,
        r#"<div role="tablist"><button role="tab" aria-controls="a">How do I renew it?</button></div><div role="tabpanel" id="a" aria-hidden="true">A</div>"#,
        r#"<button class="accordion">How do I renew it?</button><div class="panel" style="display:none">A</div>"#,
        r#"<h3><button aria-expanded="false">How do I renew it?</button></h3><div aria-hidden="true">A</div>"#,
        r#"<h3>How do I renew it?</h3><div aria-hidden="true">A</div>"#,
        r#"<div>How do I renew it?</div><div aria-hidden="true">A</div>"#,
        r#"<details><summary>How do I renew it?</summary>A</details>"#,
        r#"<style>.panel{display:none}</style><button class="accordion">How do I renew it?</button><div class="panel">A</div>"#,
    ] {
        let page = format!(
            "{intro}{}",
            panel.replace('A', &format!("<p>{answer}</p>")).replace("<p>Renew it at the desk.</p>ria", "A")
        );
        let (text, omissions) = page_text(&page);
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what} of {panel} in {text}"));
        assert!(at("first day.") < at("How do I renew it?") && at("How do I renew it?") < at(answer), "{text}");
        assert_eq!(omissions, [0, 0]);
    }
    let after = format!(
        r#"{intro}<button aria-controls="a">Fees</button><div id="a"><p>Two euros each.</p></div><p>Ask us.</p>"#
    );
    let (_, sections) = read(&format!("<body>{after}</body>"));
    let texts: Vec<_> =
        sections.iter().map(|section| (section.heading_path.join(">"), section.text.as_str())).collect();
    assert_eq!(texts[1..], [("Cards>Fees".to_owned(), "Two euros each."), ("Cards".to_owned(), "Ask us.")]);
}

#[test]
fn struck_and_hidden_text_is_left_out_and_counted() {
    for (body, expected, counts) in [
        ("<p>The bell costs <del>80 €</del> 70 €.</p>", "The bell costs 70 €.", [1, 0]),
        (
            "<p>Within <strike>14</strike> <ins>30</ins> days, <s></s>not <s>more</s>.</p>",
            "Within 30 days, not .",
            [2, 0],
        ),
        (
            r#"<p>It costs <span style="color:red; Text-Decoration: underline line-through">95 €</span> 85 €.</p>"#,
            "It costs 85 €.",
            [1, 0],
        ),
        (
            "<style>.price .old, #was { text-decoration-line: line-through } a:hover{text-decoration:line-through}
             @media print { p { text-decoration: line-through } }</style>
             <p class=price>It <a href=/x>costs</a> <b class=old>95 €</b> 85 €.</p><p id=was>It was red.</p>",
            "It costs 85 €.",
            [2, 0],
        ),
        (r#"<p>Costs <s style="text-decoration:none">40 €</s> now.</p>"#, "Costs 40 € now.", [0, 0]),
        (
            r#"<p>A lamp costs 40 euros.</p><p style="display:none">Purchase price 21 euros</p><p hidden>Margin 19</p>"#,
            "A lamp costs 40 euros.",
            [0, 2],
        ),
        (
            "<style>.internal{display:none}.x{display:none}.x.open{display:block}</style>
             <p>A lamp costs 40 euros.</p><p class=internal>Margin 19</p><p class='x open'>Shown.</p>",
            "A lamp costs 40 euros.\n\nShown.",
            [0, 1],
        ),
    ] {
        assert_eq!(page_text(body), (expected.to_owned(), counts), "{body}");
    }
}

#[test]
fn raised_and_lowered_text_is_no_part_of_a_number() {
    for (body, expected) in [
        ("The lock costs 19<sup>99</sup> €.", "The lock costs 19.99 €."),
        ("The hall has 120 m<sup>2</sup> and 10<sup>5</sup> screws.", "The hall has 120 m² and 10^5 screws."),
        ("A helmet costs 49<sup>1)</sup> €.", "A helmet costs 49 1) €."),
        (r##"It costs 49<sup><a href="#n12">12</a></sup> euros."##, "It costs 49 12) euros."),
        ("H<sub>2</sub>O and CO<sub>2</sub>.", "H2O and CO2."),
        ("The 1<sup>st</sup> of May.", "The 1st of May."),
        ("<b>19</b><sup>99</sup><span> €</span>", "19.99 €"),
    ] {
        assert_eq!(text_of_page(&format!("<p>{body}</p>")), expected);
    }
}

#[test]
fn cells_with_lists_and_inner_tables_keep_their_words_apart() {
    let page = "<table><tr><th>Duck</th><th>Habitat</th><th>Call</th></tr>
        <tr><td>Teal</td><td><ul><li>Lakes<li>Ponds</ul></td><td>
        <table><tr><td>Type</td><td>Sound</td></tr><tr><td>Short</td><td>quack</td></tr></table></td></tr>
        <tr><td><h4>Wood duck</h4></td><td><p>Woods</p><pre>near\nwater</pre></td><td><dl><dt>Male<dd>whistle</dl></td></tr></table>";
    assert_eq!(
        text_of_page(page),
        "| Duck | Habitat | Call |\n|---|---|---|\n| Teal | Lakes; Ponds | Type, Sound; Short, quack |\n\
         | Wood duck | Woods `near water` | Male: whistle |"
    );
}

#[test]
fn a_table_that_arranges_tables_is_none() {
    let page = "<table><tr><td>Left.</td><td><table><tr><th>Size</th><th>Price</th></tr><tr><td>S</td><td>5</td></tr></table></td></tr></table>";
    assert_eq!(text_of_page(page), "Left.\n\n| Size | Price |\n|---|---|\n| S | 5 |");
}

#[test]
fn a_page_of_headings_is_read() {
    assert_eq!(
        text_of_page("<h1>Contact</h1><h2>Phone: 030 1234</h2><h2>Closed on Mondays</h2>"),
        "Contact\nPhone: 030 1234\nContact\nClosed on Mondays"
    );
    assert_eq!(text_of_page("<h1>Shop</h1><script>1</script><div id=app></div>"), "");
    assert_eq!(
        text_of_page("<h1>A</h1><p>Text.</p><h2>Share</h2><ul><li><a href=/a>A<li><a href=/b>B</ul>"),
        "A\nText."
    );
}

#[test]
fn contact_data_around_the_text_is_the_last_section() {
    let text = "<main><h1>Tickets</h1><p>A ticket costs nine euros. Children under six years enter free.</p></main>";
    for contact in [
        "<footer><a href=/i>Imprint</a><h4>Contact</h4><p>Phone 040 123 45 67</p></footer>",
        "<div class=footer><h4>Contact</h4><address>Phone 040 123 45 67</address></div>",
        "<aside><h4>Contact</h4><p>Phone 040 123 45 67</p></aside>",
    ] {
        let (_, sections) =
            read(&format!("<body><header><a href=/>Home</a></header>{text}{contact}<footer>Imprint</footer></body>"));
        assert_eq!(sections.len(), 2, "{contact}");
        assert!(sections[1].heading_path.is_empty());
        assert!(sections[1].text.ends_with("- Contact: Phone 040 123 45 67"), "{}", sections[1].text);
    }
    let note = "<aside><p>Bring a student card if you want the lower price at the desk.</p></aside>";
    let (_, sections) =
        read(&format!("<body>{text}{note}<aside><a href=/a>Read our news about the museum</a></aside></body>"));
    assert_eq!((sections.len(), sections[1].text.starts_with("Bring a student card")), (2, true));
    let inside = text.replace("</main>", "<footer><p>Open Monday to Friday 9 am to 5 pm</p></footer></main>");
    assert_eq!(read(&format!("<body>{inside}</body>")).1[1].text, "- Open Monday to Friday 9 am to 5 pm");
}

#[test]
fn classes_of_frameworks_hide_text() {
    let read_with_class = |class: &str| {
        let text = "<p>A lamp costs 40 euros and is sent within two days after the order.</p>";
        let content = content(&format!("<body>{text}<p class=\"{class}\">Purchase price 21 euros</p></body>"));
        let count = content.omissions.get(&Omission::HiddenText).copied();
        (content.sections[0].text.contains("Purchase"), count)
    };
    for class in ["d-none", "mt-2 hidden", "is-hidden", "hide"] {
        assert_eq!(read_with_class(class), (false, Some(1)), "{class}");
    }
    for class in ["d-none d-md-block", "hidden md:flex", "d-none d-lg-inline-flex", "hidden-print", "block"] {
        assert_eq!(read_with_class(class), (true, None), "{class}");
    }
}

#[test]
fn a_second_main_with_much_text_is_read() {
    let text = "The reviews of the new platform are here, and they are mixed at best. ".repeat(4);
    let teaser = format!("<h2>Tours</h2><p>{}</p>", "A long walk along the old harbour wall. ".repeat(12));
    let page = format!("<body><section role=main><p>{text}</p></section><section role=main>{teaser}</section></body>");
    let (_, sections) = read(&page);
    assert!(sections[0].text.starts_with("The reviews"), "{sections:?}");
    assert_eq!(sections.len(), 2);
}

#[test]
fn links_below_an_item_of_a_text_are_read() {
    let link = |text: &str| format!("<li><a href='/b'>{text}</a></li>");
    let links = link("Bug 12: the window flickers when the video changes its source")
        + &link("Bug 14: the menu stays open when the pointer leaves the window");
    let page = format!(
        "<ul><li>Mentored in this week, with thanks to all of them:<ul>{links}</ul></li><li>Next week: tabs.</li></ul>"
    );
    let (_, sections) = read(&page);
    assert!(sections[0].text.contains("Bug 12: the window flickers"), "{sections:?}");
    let menu =
        format!("<p>Text.</p><ul><li><a href='/a'>Bugs</a><ul>{links}</ul></li><li><a href='/c'>Tabs</a></li></ul>");
    assert_eq!(read(&menu).1[0].text, "Text.");
}

#[test]
fn formulas_and_lines_of_cells_are_text() {
    let formula = "<math><msup><mi>r</mi><mn>2</mn></msup><mo>=</mo><mfrac><mn>3</mn><mn>4</mn></mfrac><annotation>r^2</annotation></math>";
    assert_eq!(read(&format!("<p>It is {formula}.</p>")).1[0].text, "It is r²=3/4.");
    let page = "<table><tr><th>Boat</th><th>Price</th></tr><tr><td>Canoe<br>Raft</td><td>12 €<br>8 €</td></tr>\
                <tr><td>Ferry<br>and crew</td><td>free</td></tr></table>";
    let expected = "| Boat | Price |\n|---|---|\n| Canoe | 12 € |\n| Raft | 8 € |\n| Ferry and crew | free |";
    assert_eq!(read(page).1[0].text, expected);
}
