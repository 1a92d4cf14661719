//! Deterministic pages of a town's website in German: eight topics, each page with a different text.

use super::files::Random;

/// A question that only one page answers.
pub(super) const QUESTION: &str = "Wann hat die Stadtbibliothek am Dreikönigstag geöffnet?";
pub(super) const FACT: &str = "von 13 bis 17 Uhr";

/// A title, what is done something to, and what is done.
type Topic = (&'static str, [&'static str; 5], [&'static str; 4]);

const TOPICS: [Topic; 8] = [
    (
        "Abfall und Wertstoffe",
        ["Die Restmülltonne", "Die Biotonne", "Der Wertstoffhof", "Das Schadstoffmobil", "Die gelbe Tonne"],
        ["geleert", "gereinigt", "ausgetauscht", "an der Straße bereitgestellt"],
    ),
    (
        "Bauen und Wohnen",
        [
            "Der Bauantrag",
            "Die Abnahme des Rohbaus",
            "Der Bebauungsplan",
            "Die Wohnungsgeberbestätigung",
            "Der Carport",
        ],
        ["geprüft", "genehmigt", "vor Ort besichtigt", "im Amtsblatt veröffentlicht"],
    ),
    (
        "Bäder und Sport",
        ["Das Hallenbad", "Die Dreifachturnhalle", "Der Kunstrasenplatz", "Die Sauna", "Das Lehrschwimmbecken"],
        ["gewartet", "an Vereine vermietet", "für Schulen geöffnet", "gründlich gereinigt"],
    ),
    (
        "Verkehr und Parken",
        ["Der Bewohnerparkausweis", "Die Buslinie", "Das Parkhaus am Markt", "Die Ampel", "Der Radweg"],
        ["erneuert", "verlängert", "überprüft", "für Lieferverkehr freigegeben"],
    ),
    (
        "Kinder und Schule",
        ["Der Betreuungsplatz", "Das Schulessen", "Die Ferienbetreuung", "Der Spielplatz", "Die Musikschule"],
        ["vergeben", "abgerechnet", "angemeldet", "von Fachkräften begleitet"],
    ),
    (
        "Ausweise und Meldewesen",
        ["Der Personalausweis", "Der Reisepass", "Die Ummeldung", "Das Führungszeugnis", "Die Meldebescheinigung"],
        ["ausgestellt", "beantragt", "abgeholt", "per Post zugeschickt"],
    ),
    (
        "Kultur und Feste",
        ["Das Stadtmuseum", "Der Weihnachtsmarkt", "Das Freilichtkino", "Die Galerie", "Das Sommerkonzert"],
        ["eröffnet", "von Ehrenamtlichen betreut", "im Programmheft angekündigt", "mit einer Führung begleitet"],
    ),
    (
        "Wasser und Energie",
        ["Der Wasserzähler", "Die Trinkwasserprobe", "Das Fernwärmenetz", "Die Solaranlage", "Der Hausanschluss"],
        ["abgelesen", "untersucht", "ausgebaut", "von den Stadtwerken gewartet"],
    ),
];
const PLACES: [&str; 8] = ["Lindenau", "Oberhof", "Seefeld", "Neustadt", "Altendorf", "Waldheim", "Burgau", "Mühltal"];
const TIMES: [&str; 8] = [
    "jeden zweiten Dienstag",
    "im Frühjahr",
    "nach vorheriger Anmeldung",
    "bis Ende November",
    "zweimal im Jahr",
    "am ersten Samstag des Monats",
    "innerhalb von zwei Wochen",
    "außerhalb der Schulferien",
];
const OFFICES: [&str; 5] = ["das Bürgerbüro", "der Bauhof", "das Sportamt", "die Stadtkasse", "das Ordnungsamt"];

/// The page of a number; of another `edition` with other sentences.
pub(super) fn page(number: u64, edition: u64) -> String {
    let mut random = Random::new(number * 1000 + edition);
    let topic = &TOPICS[usize::try_from(number).unwrap_or_default() % TOPICS.len()];
    let title = format!("{} in {}, Blatt {number}", topic.0, random.pick(&PLACES));
    let sections: String = (1..=3).map(|place| section(&mut random, topic, place, number)).collect();
    html(&title, &sections)
}

/// The page that says the fact, among other things of its topic.
pub(super) fn page_of_fact(number: u64) -> String {
    let mut random = Random::new(number);
    let rest: String = (1..=2).map(|place| section(&mut random, &TOPICS[6], place, number)).collect();
    let text = "<h2>Öffnungszeiten an Feiertagen</h2><p>An Neujahr bleibt die Stadtbibliothek geschlossen. Am Dreikönigstag ist die \
                Stadtbibliothek von 13 bis 17 Uhr geöffnet. Am Karfreitag können Medien nur über den Rückgabekasten am Eingang \
                abgegeben werden.</p>";
    html("Stadtbibliothek", &format!("{text}{rest}"))
}

/// The first page, with the snippet that proves whose the site is.
pub(super) fn first_page(snippet: &str) -> String {
    let text = "<p>Willkommen auf den Seiten der Stadt. Hier stehen Auskünfte aller Ämter und Betriebe.</p>";
    html("Stadt am Fluss", &format!("{text}{snippet}"))
}

fn section(random: &mut Random, topic: &Topic, place: u64, number: u64) -> String {
    let subject = random.pick(&topic.1);
    let paragraphs: String = (0..2).map(|_| format!("<p>{}</p>", paragraph(random, topic, number))).collect();
    format!("<h2>{place}. {subject}</h2>{paragraphs}")
}

fn paragraph(random: &mut Random, topic: &Topic, number: u64) -> String {
    let mut sentences = Vec::new();
    for _ in 0..3 {
        let (subject, done) = (random.pick(&topic.1), random.pick(&topic.2));
        let (time, place) = (random.pick(&TIMES), random.pick(&PLACES));
        sentences.push(format!("{subject} wird {time} im Ortsteil {place} {done}."));
    }
    let (office, room, fee) = (random.pick(&OFFICES), random.within(100, 400), random.within(3, 90));
    sentences
        .push(format!("Auskunft zu Blatt {number} gibt {office} in Zimmer {room}; die Gebühr beträgt {fee} Euro."));
    sentences.join(" ")
}

fn html(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html><html lang=\"de\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\
         <body><nav><a href=\"/\">Start</a></nav><main><h1>{title}</h1>{body}</main></body></html>"
    )
}
