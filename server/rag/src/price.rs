//! Questions about a price. Their answer must have an amount of money or say that something is free; any other text is
//! no answer, however similar it is to the question.

use std::sync::LazyLock;

use regex_automata::meta::Regex;

/// Questions about a price, in the seven languages of chatbots. Requires a verb, so that "How do I change a price?"
/// does not match.
const QUESTION: &str = r"(?ix)
    # English
      \bhow\ much\ (is|are|was|does|do|did|will|would|must|should|can)\b.*\b(cost|costs|pay|paid|charge|charged|earn|price)\b
    | \bhow\ much\ (is|are|was|were)\ (it|this|that|they|an?|one|two|the|my|your|our|each|membership|entry|admission|parking)\b
    | \bhow\ much\ (is|are)\ \w+\s*[?.]*\s*$ | \bhow\ much\ for\b
    | \bhow\ (expensive|much\ money)\b
    | \bwhat\ (does|do|did|will|would)\b.*\b(cost|charge)(\ (a|an|at|each|extra|for|if|in|me|on|per|to|us|when|with|without)\b.*)?\s*[?.]*\s*$
    | \bwhat\ does\ it\ cost\b | \bwhat(\ is|\ are|'s)\ the\ (price|prices|fee|fees|cost|costs)\ (of|for)\b
    # German
    | \b(was|wie\s?viel)\ (kostet|kosten|zahle|zahlt|bezahle|bezahlt|verdient|verdienen)\b
    | \bwie\ (teuer|hoch\ (ist|sind|fällt)\b.*\b(preis|gebühr|gebühren|kosten|beitrag|miete)\b)
    | \bkostet\b.*\b(etwas|was|extra)\b
    # Spanish. Visitors often leave out accents, in the languages below too.
    | \bcu[aá]nto\ (cuesta|cuestan|vale|valen|pago|(hay|tengo)\ que\ pagar)\b | \bqu[eé]\ precio\b
    | \bcu[aá]l(es)?\ (es\ (el\ precio|la\ tarifa)|son\ (los\ precios|las\ tarifas))\b
    # French
    | \bcombien\ ((est-ce\ que\ )?([cç]a|cela)\ )?(co[uû]te|co[uû]tent)\b | \bcombien\ (faut-il\ payer|dois-je\ payer|paie)\b
    | \bquels?\ (est\ le|sont\ les)\ (prix|tarifs?)\b
    # Italian
    | \bquanto\ (costa|costano|si\ paga|pago|viene)\b
    | \bqual(i\ sono\ (i\ prezzi|le\ tariffe)|\ [eè]\ (il\ (prezzo|costo)|la\ tariffa))\b
    # Dutch
    | \b(wat|hoeveel)\ kost(en)?\b | \bhoe\ duur\b | \bwat\ (is\ (de\ prijs|het\ tarief)|zijn\ de\ (prijzen|tarieven|kosten))\b
    # Portuguese
    | \bquanto\ (custa|custam|pago)\b | \bqua(l\ [eé]\ o\ (pre[cç]o|custo)|is\ s[aã]o\ os\ pre[cç]os)\b";

/// A currency, or a word for something free.
const ANSWER: &str = r"(?ix)
      [€$£¥₹] | \b(euros?|eur|usd|gbp|chf|dollars?|cents?|pounds?|pence|franken|francs?|rappen|kronen?|kronor|kr|reais|real|yen)\b
    | \d\s?(p|ct|c)\b
    | \b(free|no\ charge|without\ charge|at\ no\ cost|no\ extra\ cost)\b
    | \b(kostenlos\w*|kostenfrei\w*|gebührenfrei\w*|umsonst|unentgeltlich\w*|ohne\ aufpreis|frei)\b
    | \b(gratuit\w*|sin\ coste|sans\ frais|senza\ costi|kosteloos|gr[aá]tis|sem\ custos?)\b";

/// A word for a price; together with a number, an amount in a table. "Costa Rica" and the German "Kost" are none.
const PRICE: &str = r"(?ix)
    \b( prices? | costs? | fees? | preise? | kosten | kostet | gebühr | gebühren | precios? | coste | cuestan? | tarifas?
    | prix | tarifs? | coûts? | coûte | coûtent | prezz[oi] | tariff[ae] | cost[oi] | costa\s\d+ | costano | prijs | prijzen | tarief | tarieven
    | (?-i:kost) | preços? | custos? | custam? )\b";

/// A number, and one with a unit that is not money.
const NUMBER: &str = r"\d[\d.,]*";
const MEASURE: &str = r"(?ix) \d[\d.,]*\s?
    ( k?wh? | [km]?g | [cm]?l | [ckm]?m | h | [kmgt]b | lit(er|re)s? | litros? | litri
    | min\w* | sec\w* | sek\w* | hours? | stunden? | days? | tagen? | tage | weeks? | wochen? | months? | monaten? | monate
    | years? | jahren? | jahre | percent | prozent )\b";

/// Prefixes of words that ask for a price without naming its subject.
const ASKING: [&str; 31] = [
    "bezahl", "charg", "combien", "cost", "cout", "coût", "cuant", "cuest", "cust", "cuánt", "duur", "earn", "expens",
    "fee", "gebühr", "hoch", "kost", "money", "much", "paid", "pay", "preci", "preis", "preç", "prezz", "pric",
    "prijs", "prix", "tarif", "teuer", "verdien",
];

static ASKS: LazyLock<Regex> = LazyLock::new(|| pattern(QUESTION));
static GIVES: LazyLock<Regex> = LazyLock::new(|| pattern(ANSWER));
static NAMES: LazyLock<Regex> = LazyLock::new(|| pattern(PRICE));
static NUMBERS: LazyLock<Regex> = LazyLock::new(|| pattern(NUMBER));
static MEASURES: LazyLock<Regex> = LazyLock::new(|| pattern(MEASURE));

#[expect(clippy::expect_used, reason = "the patterns are part of the program, and each is compiled in the tests")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is valid")
}

/// Whether a question asks for a price.
pub fn is_asked(question: &str) -> bool {
    ASKS.is_match(question)
}

/// Whether a word, or its stem, only asks for a price.
pub fn is_asking(word: &str) -> bool {
    ASKING.iter().any(|beginning| word.starts_with(beginning))
}

/// A question without the words that only ask for a price: what should cost it.
pub fn subject(question: &str) -> String {
    let words = question.split_whitespace().filter(|word| !is_asking(&word.to_lowercase()));
    words.collect::<Vec<_>>().join(" ")
}

/// Whether a text may state a price.
pub fn is_given(text: &str) -> bool {
    GIVES.is_match(text) || NAMES.is_match(text) && text.contains(|mark: char| mark.is_ascii_digit())
}

/// Whether a sentence of a model states a price: an amount of money, or a number with a word for a price. Numbers of the
/// question, markers of passages and numbers with another unit do not count: "The Aurelia 300 costs 1,450 W. [2]"
pub fn is_stated(text: &str, question: &str) -> bool {
    let is_amount = |at: regex_automata::Match| {
        let number = text[at.range()].trim_end_matches(['.', ',']);
        let is_marker = text[..at.start()].ends_with('[');
        !is_marker
            && !question.contains(number)
            && !MEASURES.find_iter(text).any(|measure| measure.start() == at.start())
    };
    GIVES.is_match(text) || NAMES.is_match(text) && NUMBERS.find_iter(text).any(is_amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_and_numbers_of_the_question_are_no_price() {
        let question = "How much does the Aurelia 300 cost?";
        assert!(!is_stated("Aurelia 300 costs 1,450 W; 0.4 W on standby.", question));
        assert!(!is_stated("The Aurelia 300 costs nothing that is written here.", question));
        assert!(!is_stated("The prices are listed at the desk. [2]", "What does a locker cost?"));
        assert!(is_stated("- **Aurelia 300**: price: 249", question));
        assert!(is_stated("It costs 249 euros.", question) && is_stated("It is free.", question));
    }

    #[test]
    fn questions_about_prices_are_known_in_seven_languages() {
        for question in [
            "How much does a colour print cost?",
            "What does parking at the garage cost per hour?",
            "And what does it cost?",
            "How much is popcorn?",
            "How much is the deposit for the phone?",
            "How much are two tickets?",
            "How much for a shirt?",
            "how expensive is it",
            "How much do I have to pay for a copy?",
            "What is the price of a day ticket?",
            "Was kostet eine Saisonkarte für Erwachsene?",
            "Wie viel kosten zwei Karten?",
            "Wie hoch ist die Gebühr für eine Mahnung?",
            "Kostet ein größerer extra?",
            "wie teuer ist das",
            "¿Cuánto cuesta la entrada?",
            "Combien coûte un abonnement ?",
            "Quels sont les tarifs ?",
            "Quanto costa il biglietto?",
            "Wat kost een kaartje?",
            "Quanto custa a entrada?",
            "cuanto cuesta la entrada",
            "¿Cuáles son las tarifas?",
            "combien coute l'abonnement",
            "Combien est-ce que ça coûte ?",
            "Qual e il costo del biglietto?",
            "Quali sono i prezzi?",
            "Wat zijn de tarieven?",
            "Qual e o preco do bilhete?",
            "Quais são os preços?",
        ] {
            assert!(is_asked(question), "{question}");
        }
    }

    #[test]
    fn other_questions_are_not() {
        for question in [
            "How do I change the price of a product?",
            "How much memory does it need?",
            "How much of it is left?",
            "How much notice do I have to give?",
            "What does the cost parameter do?",
            "Where do I find the price list?",
            "Can I pay by card?",
            "Wie lege ich einen Preis an?",
            "Wo finde ich die Kostenstelle?",
            "Was bedeutet das Feld Preis?",
            "Wie viele Personen dürfen hinein?",
            "Hoe wijzig ik de prijs?",
            "Combien de temps dure la visite ?",
            "¿Cuánto tiempo tengo?",
        ] {
            assert!(!is_asked(question), "{question}");
        }
    }

    #[test]
    fn an_amount_or_nothing_at_all_is_an_answer() {
        for text in [
            "Single tickets are 5.00 euros.",
            "35p in colour",
            "- **Basic**: price: 10; seats: 3",
            "Children swim free of charge.",
            "Den tauschen wir kostenlos.",
            "Das macht 3,50 €.",
            "L'entrée est gratuite.",
            "- **Volwassene**: tarief: 12",
            "- **Adulto**: tarifa: 12",
            "- **Intero**: tariffa: 12",
            "La visita cuesta 12.",
            "L'ingresso costa 12.",
            "Een kaartje kost 12.",
        ] {
            assert!(is_given(text), "{text}");
        }
        for text in [
            "Download the image from the page.",
            "The price depends on your region.",
            "Version 12 has 3 parts.",
            "The tour through Costa Rica takes 14 days.",
            "Vegetarische Kost gibt es ab 12 Uhr.",
        ] {
            assert!(!is_given(text), "{text}");
        }
    }
}
