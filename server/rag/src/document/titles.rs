//! Titles in the properties of files that nobody wrote: names of new files, programs and files.

/// Titles of new files, in lower case and without a number at the end.
const NEW: &[&str] = &[
    "",
    "untitled",
    "untitled document",
    "(anonymous)",
    "anonymous",
    "(unspecified)",
    "unspecified",
    "unknown",
    "unnamed",
    "no title",
    "title",
    "document",
    "word document",
    "new document",
    "microsoft word document",
    "presentation",
    "slide",
    "book",
    "sheet",
    "page",
    "layout",
    "template",
    "blank",
    "default",
    "test",
    "unbenannt",
    "unbenanntes dokument",
    "ohne titel",
    "dokument",
    "neues dokument",
    "präsentation",
    "folie",
    "mappe",
    "tabelle",
    "titel",
    "kein titel",
    "sans titre",
    "sans nom",
    "titre",
    "présentation",
    "diapositive",
    "classeur",
    "document sans titre",
    "sin título",
    "sin titulo",
    "título",
    "documento",
    "presentación",
    "senza titolo",
    "senza nome",
    "titolo",
    "presentazione",
    "naamloos",
    "zonder titel",
    "naamloos document",
    "presentatie",
    "sem título",
    "sem titulo",
    "apresentação",
];
/// Programs whose name with the word for a presentation or document is the title of new files.
const PROGRAMS: &[&str] = &["powerpoint", "microsoft word", "microsoft excel", "keynote", "openoffice", "libreoffice"];
/// Extensions of files that become documents, and of programs.
const EXTENSIONS: &[&str] = &[
    "ai", "bin", "cdr", "csv", "dll", "doc", "docm", "docx", "dot", "dotx", "dvi", "dwg", "eps", "exe", "fm", "gif",
    "htm", "html", "idml", "indd", "jpeg", "jpg", "key", "lwp", "md", "numbers", "odp", "ods", "odt", "p65", "pages",
    "pdf", "pmd", "png", "pot", "potx", "pps", "ppsx", "ppt", "pptm", "pptx", "ps", "psd", "pub", "qxd", "qxp", "rtf",
    "sxw", "tex", "tif", "tiff", "tmp", "txt", "vsd", "wpd", "wps", "xls", "xlsm", "xlsx", "xml",
];

/// The title, if somebody wrote it.
pub(super) fn meaningful(title: String) -> Option<String> {
    let lower = title.trim().to_lowercase();
    let has_letters = lower.contains(char::is_alphabetic);
    let is_file =
        lower.rsplit_once('.').is_some_and(|(name, extension)| !name.is_empty() && EXTENSIONS.contains(&extension));
    (has_letters && !is_new(&lower) && !is_file).then_some(title)
}

/// Whether a title in lower case is that of a new file.
pub(super) fn is_new(lower: &str) -> bool {
    let base = lower.trim_end_matches(|mark: char| mark.is_ascii_digit() || " -_.".contains(mark) || mark == '\u{a0}');
    let base = base.trim_matches(['"', '\'', '<', '>', '[', ']', '_', ' ']);
    let words = base.split([' ', '-', '\u{a0}']).filter(|word| !word.is_empty()).count();
    let is_program = PROGRAMS.iter().any(|program| base.contains(program)) && words <= 4;
    NEW.contains(&base) || is_program && is_new_file(base)
}

/// Whether a title with the name of a program is that of a new file, and not one about the program.
fn is_new_file(title: &str) -> bool {
    let rest = PROGRAMS.iter().fold(title.to_owned(), |title, program| title.replace(program, " "));
    let words = rest.split([' ', '-', '\u{a0}']).filter(|word| !word.is_empty());
    words.into_iter().all(|word| {
        NEW.contains(&word) || matches!(word, "de" | "di" | "do" | "standard" | "dia" | "presentatie" | "1")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_wrote_is_no_title() {
        for title in [
            "untitled",
            "Untitled-1",
            "(anonymous)",
            "10811.exe",
            "PowerPoint Presentation",
            "PowerPoint-Präsentation",
            "Présentation PowerPoint",
            "Presentación de PowerPoint",
            "Presentazione standard di PowerPoint",
            "Apresentação do PowerPoint",
            "Microsoft Word - Dokument1",
            "Microsoft Word - prices 2026.doc",
            "Dokument1",
            "Document 3",
            "unbenannt",
            "Sans titre",
            "10811",
            "folder_3.indd",
            "_",
            "Folie 1",
            "final version.docx",
        ] {
            assert_eq!(meaningful(title.to_owned()), None, "{title}");
        }
        for title in [
            "Terms of use",
            "PowerPoint for beginners",
            "How to write in Microsoft Word",
            "Node.js",
            "Agenda 2030",
            "Untitled poems",
            "Version 2.1",
            "The book",
            "Preise 2026",
            "Presentation of the year",
            "営業時間",
        ] {
            assert_eq!(meaningful(title.to_owned()).as_deref(), Some(title));
        }
    }
}
