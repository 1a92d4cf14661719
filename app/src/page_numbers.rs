//! Which pages of a list get a button.

/// The pages that get a button: the first, the last and those around the current one; `None` is a gap.
pub(crate) fn with_buttons(current: i64, pages: i64) -> Vec<Option<i64>> {
    let mut buttons = Vec::new();
    let mut previous = -1;
    for page in 0..pages {
        if page == 0 || page == pages - 1 || (page - current).abs() <= 1 {
            if page - previous > 1 {
                buttons.push(None);
            }
            buttons.push(Some(page));
            previous = page;
        }
    }
    buttons
}

#[cfg(test)]
mod tests {
    use super::with_buttons;

    #[test]
    fn few_pages_are_all_shown() {
        assert_eq!(with_buttons(0, 3), [Some(0), Some(1), Some(2)]);
        assert_eq!(with_buttons(0, 0), []);
    }

    #[test]
    fn the_middle_of_many_pages_has_a_gap_on_both_sides() {
        let middle = [Some(0), None, Some(4), Some(5), Some(6), None, Some(9)];
        assert_eq!(with_buttons(5, 10), middle);
    }

    #[test]
    fn a_page_past_the_end_still_leads_back() {
        assert_eq!(with_buttons(40, 10), [Some(0), None, Some(9)]);
    }
}
