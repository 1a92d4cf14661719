//! The documents of the corpus: price lists in many layouts, and texts.

use super::model::{Lines, Part, Sample, Table};

fn sample(name: &'static str, parts: Vec<Part>) -> Sample {
    Sample { name, parts }
}

/// A heading, a sentence, a table, and a sentence.
fn priced(name: &'static str, table: Table) -> Sample {
    let parts = vec![
        Part::Heading("Price list of the harbour"),
        Part::Text("All prices are valid from April and include tax.".to_owned()),
        Part::Table(table),
        Part::Text("Please pay at the desk of the harbour office.".to_owned()),
    ];
    sample(name, parts)
}

const SERVICES: [&str; 6] = [
    "Service | Price",
    "Haircut | 25.50 €",
    "Beard trim | 12.20 €",
    "Colouring | 48.70 €",
    "Eyebrows | 9.90 €",
    "Wedding style | 118.00 €",
];

/// Price lists as shops and offices write them.
pub(crate) fn price_lists() -> Vec<Sample> {
    let new = Table::new;
    let seasons = [
        "Room ^2 | Summer >2 | Winter >2",
        "Weekday | Weekend | Weekday | Weekend",
        "Single room | 61.00 € | 75.00 € | 52.00 € | 58.00 €",
        "Double room | 91.00 € | 110.00 € | 79.00 € | 84.00 €",
        "Suite | 140.00 € | 165.00 € | 122.00 € | 131.00 €",
    ];
    let sizes = [
        "Pizza | Small | Medium | Large | Family",
        "Margherita | 6.50 € | 8.10 € | 9.60 € | 19.10 €",
        "Salami | 7.20 € | _ | 10.40 € | 21.30 €",
        "Tuna | _ | 9.30 € | 11.20 € | _",
        "Spinach | 7.40 € | 8.90 € | _ | 20.20 €",
    ];
    let groups = [
        "Dish | Small | Large",
        "Soups >3",
        "Tomato soup | 4.10 € | 6.20 €",
        "Lentil soup | 4.60 € | 6.80 €",
        "Salads >3",
        "Green salad | 5.30 € | 8.40 €",
        "Farmer salad | 6.70 € | 9.80 €",
    ];
    let mut list = vec![
        priced("ruled", new(1, 1, &SERVICES)),
        priced("no_lines", new(1, 1, &SERVICES).with(Lines::None, false)),
        priced("numbers_to_the_right", new(1, 1, &SERVICES).with(Lines::BelowHeader, true)),
        priced("two_header_rows", new(2, 1, &seasons)),
        priced("two_header_rows_without_lines", new(2, 1, &seasons).with(Lines::BelowHeader, false)),
        priced("sizes_with_empty_cells", new(1, 1, &sizes)),
        priced("sizes_without_lines", new(1, 1, &sizes).with(Lines::None, true)),
        priced("groups_of_rows", new(1, 1, &groups)),
        priced("groups_without_lines", new(1, 1, &groups).with(Lines::BelowHeader, false)),
    ];
    let categories = [
        "Category | Vehicle | Day | Week",
        "Bicycles ^3 | City bike | 12.00 € | 60.00 €",
        "Cargo bike | 30.00 € | 150.00 €",
        "Tandem | 28.00 € | 135.00 €",
        "Boats ^2 | Canoe | 35.00 € | 170.00 €",
        "Rowing boat | 40.00 € | 190.00 €",
    ];
    list.push(priced("cells_over_rows", new(1, 2, &categories)));
    let plans = [
        "_ | Basic | Team | Company",
        "Price per month | 9.00 € | 29.00 € | 99.00 €",
        "Users | 1 | 10 | 100",
        "Storage | 5 GB | 50 GB | 500 GB",
        "Support | mail | chat | phone",
    ];
    list.push(priced("articles_in_columns", new(1, 1, &plans)));
    list.push(priced("articles_in_columns_without_lines", new(1, 1, &plans).with(Lines::None, false)));
    let units = [
        "Treatment | Time (min) | Price (€)",
        "Massage | 40 | 48.00",
        "Foot care | 30 | 32.00",
        "Sauna | 90 | 17.50",
        "Mud bath | 25 | 41.00",
    ];
    list.push(priced("units_in_the_header", new(1, 1, &units).with(Lines::BelowHeader, true)));
    let before = [
        "Ticket | Normal | Reduced",
        "Adult | € 12.50 | € 9.40",
        "Child | € 6.30 | € 4.20",
        "Group | € 80.00 | € 64.00",
    ];
    list.push(priced("currency_before", new(1, 1, &before)));
    let from = [
        "Leistung | Kurzes Haar | Langes Haar",
        "Färben | ab 39,50 € | ab 52,80 €",
        "Schneiden | 24,90 € | ab 31,20 €",
        "Dauerwelle | ab 61,00 € | auf Anfrage",
    ];
    list.push(priced("from_prices", new(1, 1, &from).with(Lines::None, false)));
    let marks = [
        "Room | Night | Cleaning",
        "Attic | 64.00 € * | 25.00 €",
        "Garden | 72.00 € | 30.00 € **",
        "Lake | 95.00 € * | 35.00 €",
    ];
    list.push(priced("marks_of_notes", new(1, 1, &marks)));
    let title = [
        "Prices of the swimming pool >3",
        "Ticket | Day | Evening",
        "Adult | 7.00 € | 4.50 €",
        "Child | 3.60 € | 2.40 €",
        "Family | 16.00 € | 11.00 €",
    ];
    list.push(priced("title_above_the_header", new(2, 1, &title)));
    let first = [
        "Price | Service | Minutes",
        "25.00 € | Haircut | 30",
        "12.00 € | Beard trim | 15",
        "48.00 € | Colouring | 90",
    ];
    list.push(priced("price_first", new(1, 0, &first).with(Lines::BelowHeader, false)));
    let bare = ["Espresso | 2.40 €", "Cappuccino | 3.60 €", "Hot chocolate | 3.90 €", "Apple cake | 4.20 €"];
    list.push(priced("no_header", new(0, 1, &bare).with(Lines::None, false)));
    let places = |names: [&str; 4], from: u32| -> Vec<String> {
        names.iter().zip(from..).map(|(name, at)| format!("{name} | {at}.00 €")).collect()
    };
    let beside = |head: &str, names, from| {
        let rows: Vec<String> = std::iter::once(head.to_owned()).chain(places(names, from)).collect();
        new(1, 1, &rows.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let parts = vec![
        Part::Heading("Prices of the courts"),
        Part::Beside(
            beside("Indoor court | Hour", ["Tennis", "Squash", "Badminton", "Boxing"], 21),
            beside("Outdoor court | Day", ["Football", "Basketball", "Handball", "Hockey"], 71),
        ),
    ];
    list.push(sample("two_tables_beside_each_other", parts));
    let mut inner = new(1, 1, &SERVICES);
    inner.is_nested = true;
    list.push(priced("table_in_a_table", inner));
    let offers = [
        "Offer | What it has | Price per / person",
        "Day ticket | pool and sauna, / towel on loan | 24.50 €",
        "Family / ticket | two adults and / up to three / children | 61.00 €",
        "Late entry | from five in / the afternoon | 15.80 €",
        "Ten visits | valid for two / years | 210.00 €",
    ];
    list.push(priced("cells_of_several_lines", new(1, 1, &offers)));
    list.push(priced("cells_of_several_lines_without_lines", new(1, 1, &offers).with(Lines::None, false)));
    list.push(priced("narrow_gaps", new(1, 1, &sizes).with(Lines::None, false).padded(3.0)));
    list.push(priced("narrow_gaps_to_the_right", new(1, 1, &units).with(Lines::BelowHeader, true).padded(3.5)));
    let words = [
        "Course | Monday | Thursday | Teacher",
        "Yoga | Hall A | Hall B | Anna Meier",
        "Pilates | closed | Garden | Ben Okoro",
        "Dance | Studio | Studio two | Carla Ruiz",
    ];
    list.push(priced("words_only", new(1, 1, &words).with(Lines::None, false)));
    list.push(priced("words_only_with_lines", new(1, 1, &words)));
    let years = [
        "Fee | 2024 | 2025 | 2026",
        "Membership | 48.00 € | 52.00 € | 55.00 €",
        "Boat berth | 310.00 € | 325.00 € | 340.00 €",
        "Winter storage | 190.00 € | 195.00 € | 205.00 €",
    ];
    list.push(priced("years_as_names", new(1, 1, &years).with(Lines::BelowHeader, true)));
    list.push(priced("years_as_names_without_lines", new(1, 1, &years).with(Lines::None, true)));
    let parts = vec![
        Part::Heading("Prices of the courts"),
        Part::Beside(
            beside("Indoor court | Hour", ["Tennis", "Squash", "Badminton", "Boxing"], 21).with(Lines::None, false),
            beside("Outdoor court | Day", ["Football", "Basketball", "Handball", "Hockey"], 71)
                .with(Lines::None, false),
        ),
    ];
    list.push(sample("two_tables_beside_each_other_without_lines", parts));
    for (name, repeats_header, lines) in
        [("over_pages", false, Lines::All), ("over_pages_with_header", true, Lines::None)]
    {
        let rows =
            (1..=70).map(|row| format!("Course {row} | {} | {}.00 € | {}.50 €", 1 + row % 7, 100 + row, 200 + row));
        let rows: Vec<String> = std::iter::once("Course | Days | Members | Guests".to_owned()).chain(rows).collect();
        let mut table = new(1, 1, &rows.iter().map(String::as_str).collect::<Vec<_>>()).with(lines, false);
        table.repeats_header = repeats_header;
        list.push(priced(name, table));
    }
    list
}

/// Texts with what readers lose, mix, or show though it is hidden.
pub(crate) fn texts() -> Vec<Sample> {
    let text = |text: &str| Part::Text(text.to_owned());
    vec![
        sample(
            "letter",
            vec![
                Part::Heading("Parking permits"),
                text(
                    "A parking permit for residents costs 30 euros a year. It is valid for one car only and is sent by post within two weeks after the payment has arrived.",
                ),
                text(
                    "Garages in the old town are let by the housing office, which also keeps the waiting list for the underground car park at the market.",
                ),
                Part::Heading("What we need"),
                Part::Items(vec![
                    "the registration of the car",
                    "proof of the address",
                    "an identity card or a passport",
                ]),
                Part::Heading("Opening hours"),
                text(
                    "The office is open on Monday and Thursday from 8 to 12 and on Tuesday from 14 to 18. Closed on Wednesday and Friday.",
                ),
            ],
        ),
        sample(
            "struck_hidden_raised",
            vec![
                Part::Heading("Offers of the week"),
                text("The folding bike costs ~obsolete449~ 399 euros. #secretmargin27# Lights are 19^90^ euros."),
                text("Returns are accepted within ~obsolete14days~ 30 days. #internalnoteabc#"),
                text("Repairs are done on the same day. The workshop closes at noon."),
            ],
        ),
        sample(
            "notes",
            vec![
                Part::Heading("Rent of the community hall"),
                text(
                    "The hall costs 240 euros a day[Clubs of the town pay 120 euros.]. Chairs and tables are included.",
                ),
                text("A deposit of 300 euros is due on the day of the event[It is returned within a week.]."),
            ],
        ),
    ]
}
