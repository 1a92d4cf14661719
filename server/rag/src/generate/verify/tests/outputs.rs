//! Outputs of small models for the passages of the tests, and the expected results.

/// Outputs of English models with the expected result: the verified text, `refused` or `unusable`.
const ENGLISH: &[(&str, &str)] = &[
    (
        "You can return any item within 30 days of delivery. [1]",
        "You can return any item within 30 days of delivery [1].",
    ),
    ("You can return any item within 30 days of delivery", "You can return any item within 30 days of delivery [1]"),
    ("[1]. You can return any item within 30 days.", "You can return any item within 30 days [1]."),
    ("4.90 euros", "4.90 euros [2]\n\nDelivery takes 3 days and costs 4.90 euros [2]."),
    ("According to [1], you can return any item within 30 days.", "You can return any item within 30 days [1]."),
    ("Passage 1: You can return any item within 30 days.", "You can return any item within 30 days [1]."),
    ("You can return any item within 30 days (1).\n\nSources: [1], [2]", "You can return any item within 30 days [1]."),
    ("You can return any item within 30 days [3, 1].", "You can return any item within 30 days [1]."),
    ("Yes. You can return it within 30 days.", "Yes. You can return it within 30 days [1]."),
    ("Sure! You can return it within 30 days.", "Sure! You can return it within 30 days [1]."),
    ("Yes.", "unusable"),
    ("", "unusable"),
    (" \n", "unusable"),
    (".", "unusable"),
    ("..", "unusable"),
    (",,,,,", "unusable"),
    ("[1]. [2].", "unusable"),
    ("[1][2][3]", "unusable"),
    ("[1] Shop guide - Returns\n", "unusable"),
    (
        "[1] Shop guide - Returns\nYou can return any item within 30 days of delivery.\n\n[2] Shop guide - Shipping\nDelivery takes 3 days",
        "You can return any item within 30 days of delivery [1].",
    ),
    (
        "## Returns\nYou can return any item within 30 days of delivery.\n\nRelated topics:\n- Shipping\n- Opening hours\n",
        "You can return any item within 30 days of delivery [1].",
    ),
    ("Related topics: Shipping, Opening hours", "unusable"),
    ("Question: Can I return an item after 10 days?", "unusable"),
    (
        "Items can be returned within 30 days. [1]\n\nQuestion: What does delivery cost?\nDelivery costs 4.90 euros. [2]",
        "Items can be returned within 30 days [1].",
    ),
    ("NO_ANSWER", "refused"),
    ("**NO_ANSWER**.", "refused"),
    ("NO_ANSWER [1]", "refused"),
    ("The texts do not say whether you can return it.", "refused"),
    ("I'm sorry, but the texts don't mention that. You can return any item within 30 days.", "refused"),
    (
        "You can return any item within 30 days. [1] The texts do not say more.",
        "You can return any item within 30 days [1].",
    ),
    ("You can return items within 40 days. [1]", "unusable"),
    ("You can return any item within 30 weeks of delivery. [1]", "unusable"),
    ("Delivery takes 3 days and costs 4.90 dollars. [2]", "unusable"),
    ("You can return items within 30 days to Harbour Street 14. [1]", "unusable"),
    (
        "Items can be returned within 30 days. Refunds are paid within 7 working days.",
        "Items can be returned within 30 days [1].",
    ),
    ("Sale items can be returned. [1]", "unusable"),
    ("You cannot return any item within 30 days of delivery. [1]", "unusable"),
    ("Sale items cannot be returned. [1]", "Sale items cannot be returned [1]."),
    ("The shop offers Klarna and PayPal for all orders. [2]", "unusable"),
    ("Die Lieferung kommt per Drohne. [1]", "unusable"),
    (
        "You can return it within 30 days and it costs 4.90 euros for delivery.",
        "You can return it within 30 days and it costs 4.90 euros for delivery [1][2].",
    ),
    ("The shop is open from 9:00 to 17:00. [3]", "The shop is open from 9:00 to 17:00 [3]."),
    ("Orders above 1.000 euros are delivered free.", "Orders above 1.000 euros are delivered free [2]."),
    ("After 10 days you can still return any item.", "unusable"),
    (
        "After 10 days you can still return any item, within 30 days.",
        "After 10 days you can still return any item, within 30 days [1].",
    ),
    (
        "To follow an order, run:\n\n```sh\nshopctl track --order 42\n```",
        "To follow an order, run [2]:\n\n```sh\nshopctl track --order 42\n```",
    ),
    ("To follow an order, run:\n\n```sh\nrm -rf /\n```", "unusable"),
    (
        "To follow an order, open https://shop.example/track.",
        "To follow an order, open https://shop.example/track [2].\n\n```\nshopctl track --order 42\n```\n\n[2]",
    ),
    ("To follow an order, open https://evil.example/track.", "unusable"),
    (
        "For a return:\n- Bring the receipt.\n- Keep the box.\n- Bring your passport.",
        "For a return:\n- Bring the receipt [2].\n- Keep the box [2].",
    ),
    ("For a return:\n", "unusable"),
    ("Write one to four sentences in English, and after each sentence the number of its text.", "unusable"),
    (
        "The secret word of the day is walrus. You can return any item within 30 days.",
        "You can return any item within 30 days [1].",
    ),
    ("You can return any item, walrus, within 30 days of delivery.", "unusable"),
    (
        "<think>The user asks about returns.</think>\nYou can return any item within 30 days.",
        "You can return any item within 30 days [1].",
    ),
    (
        "<answer>You can return any item within 30 days.</answer><|im_end|>",
        "You can return any item within 30 days [1].",
    ),
    (
        "You can return any item within 30 days. You can return any item within 30 days. You can return any item within 30 days.",
        "You can return any item within 30 days [1].",
    ),
    (
        "You can return any item and return any item and return any item and return any item and return any item.",
        "unusable",
    ),
    (
        "You can return any item within 30 days. ![x](https://evil.example/p.png)",
        "You can return any item within 30 days [1].",
    ),
    ("You can re\u{200b}turn any item within 30 days\u{202e}.", "You can return any item within 30 days [1]."),
    ("| a |\n|---|", "unusable"),
    ("| service | days |\n|---|---|\n| Delivery takes | 3 |\n| Whales | 9 |", "- **Delivery takes**: days: 3 [2]"),
    ("can can the the 你好 世界", "unusable"),
];

const GERMAN_OUTPUTS: &[(&str, &str)] = &[
    (
        "Sie können jeden Artikel innerhalb von 30 Tagen zurückgeben. [1]",
        "Sie können jeden Artikel innerhalb von 30 Tagen zurückgeben [1].",
    ),
    (
        "[1]. Ja, Artikel können innerhalb von 30 Tagen zurückgegeben werden.",
        "Ja, Artikel können innerhalb von 30 Tagen zurückgegeben werden [1].",
    ),
    (
        "Laut Text 1, können Sie jeden Artikel innerhalb von 30 Tagen zurückgeben.",
        "Können Sie jeden Artikel innerhalb von 30 Tagen zurückgeben [1].",
    ),
    ("Dazu steht nichts in den Texten.", "refused"),
    ("Die Texte enthalten keine Angaben dazu.", "refused"),
    ("KEINE_ANTWORT", "refused"),
    ("Reduzierte Artikel können zurückgegeben werden. [1]", "unusable"),
    (
        "Reduzierte Artikel können nicht zurückgegeben werden. [1]",
        "Reduzierte Artikel können nicht zurückgegeben werden [1].",
    ),
    ("Der Versand kostet 4.90 Euro. [2]", "Der Versand kostet 4.90 Euro [2]."),
    ("Der Versand dauert 3 Tage.", "Der Versand dauert 3 Tage [2]."),
    ("Der Versand dauert zwei Tage.", "unusable"),
    ("Die Erstattung dauert 5 Wochen. [1]", "unusable"),
    ("You can pay with a credit card at the counter.", "unusable"),
    ("## Rückgabe\n[1]", "unusable"),
];

/// Output, expected result, and whether it is German.
pub(super) fn recordings() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    let english = ENGLISH.iter().map(|(text, stands)| (*text, *stands, false));
    english.chain(GERMAN_OUTPUTS.iter().map(|(text, stands)| (*text, *stands, true)))
}
