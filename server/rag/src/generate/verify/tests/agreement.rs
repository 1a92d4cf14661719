use super::*;

/// What an answer to a question about the shop rests on.
fn basis(output: &str) -> Basis {
    let passages = candidates(&PASSAGES);
    let input = VerificationInput { release: Release::End, ..input("What happens?", "en", &passages) };
    let mut verification = Verification::new(input);
    let released = verification.push(output).now_or_never().unwrap();
    assert_eq!(released, "", "nothing is released before the end");
    let verdict = verification.finish(Ending::Whole).now_or_never().unwrap();
    assert!(matches!(verdict, Verdict::Answer(_)), "{output}: {verdict:?}");
    verification.basis().clone()
}

#[test]
fn readings_agree_about_the_same_sentence_and_a_number() {
    let first = basis("Refunds are paid within 5 working days.");
    for (output, agrees) in [
        ("Refunds are paid within 5 working days.", true),
        ("The shop opens at 9 am. Refunds are paid within 5 working days.", true),
        ("Within 5 working days refunds are paid to you.", true),
        ("Refunds are paid.", false),
        ("The shop opens at 9 am and closes at 5 pm.", false),
        ("Delivery takes 3 days and costs 4.90 euros.", false),
    ] {
        assert_eq!(first.agrees_with(&basis(output)), agrees, "{output}");
    }
}

#[test]
fn a_sentence_of_two_passages_agrees_with_nothing() {
    let mixed = "Refunds are paid within 5 working days and orders above 1,000 euros are delivered free of charge.";
    assert!(!basis(mixed).agrees_with(&basis(mixed)));
}
