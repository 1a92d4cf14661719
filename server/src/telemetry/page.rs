//! The page of metrics as metrics of OTLP: the same names and values, so that nothing is counted twice.

use std::{collections::BTreeMap, time::SystemTime};

use serde_json::{Value as Json, json};

use super::wire::{nanoseconds, scope, text};

/// Values since the start of the process.
const CUMULATIVE: u8 = 2;

/// The labels of a series, without the bound of a bucket.
type Labels = Vec<(String, String)>;

/// A line of the page: `name{label="value"} 1`.
struct Sample<'a> {
    name: &'a str,
    labels: Labels,
    value: f64,
}

#[derive(Default)]
struct Histogram {
    /// The bounds with the number of values up to each.
    buckets: Vec<(f64, f64)>,
    sum: f64,
    count: f64,
}

/// The request with the metrics of a page, which counts since `start`.
pub(super) fn metrics(resource: &Json, page: &str, start: SystemTime) -> Json {
    let now = SystemTime::now();
    let point = |labels: &Labels| {
        let attributes: Vec<Json> = labels.iter().map(|(name, value)| text(name, value)).collect();
        json!({ "attributes": attributes, "startTimeUnixNano": nanoseconds(start), "timeUnixNano": nanoseconds(now) })
    };
    let metrics: Vec<Json> = families(page)
        .into_iter()
        .map(|(name, kind, description, samples)| {
            let mut metric = json!({ "name": name, "description": description });
            let points =
                |field| samples.iter().map(move |sample| with(point(&sample.labels), field, sample.value.into()));
            match kind {
                "histogram" => {
                    let points: Vec<Json> = histograms(name, &samples)
                        .iter()
                        .map(|(labels, histogram)| histogram.fill(point(labels)))
                        .collect();
                    metric["histogram"] = json!({ "dataPoints": points, "aggregationTemporality": CUMULATIVE });
                }
                "counter" => {
                    let points: Vec<Json> = points("asDouble").collect();
                    metric["sum"] = json!({
                        "dataPoints": points, "aggregationTemporality": CUMULATIVE, "isMonotonic": true,
                    });
                }
                _ => metric["gauge"] = json!({ "dataPoints": points("asDouble").collect::<Vec<Json>>() }),
            }
            metric
        })
        .collect();
    json!({ "resourceMetrics": [{ "resource": resource, "scopeMetrics": [{ "scope": scope(), "metrics": metrics }] }] })
}

fn with(mut object: Json, field: &str, value: Json) -> Json {
    object[field] = value;
    object
}

/// Each metric with its kind, description and lines, in the page's order.
fn families(page: &str) -> Vec<(&str, &str, &str, Vec<Sample<'_>>)> {
    let mut families = Vec::new();
    let mut described = ("", "");
    for line in page.lines() {
        if let Some((name, description)) = line.strip_prefix("# HELP ").and_then(|line| line.split_once(' ')) {
            described = (name, description);
        } else if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|line| line.split_once(' ')) {
            let description = if described.0 == name { described.1 } else { "" };
            families.push((name, kind, description, Vec::new()));
        } else if let (Some(sample), Some((.., samples))) = (sample(line), families.last_mut()) {
            samples.push(sample);
        }
    }
    families
}

fn sample(line: &str) -> Option<Sample<'_>> {
    let (series, value) = line.rsplit_once(' ')?;
    let (name, labels) = series.split_once('{').unwrap_or((series, ""));
    // The values of labels are names of this program, without quotes or commas.
    let pairs = labels.trim_end_matches('}').split(',').filter_map(|pair| pair.split_once('='));
    let labels = pairs.map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned())).collect();
    Some(Sample { name, labels, value: value.parse().ok()? })
}

fn histograms(name: &str, samples: &[Sample<'_>]) -> BTreeMap<Labels, Histogram> {
    let mut histograms: BTreeMap<Labels, Histogram> = BTreeMap::new();
    for sample in samples {
        let mut labels = sample.labels.clone();
        let bound = labels.iter().position(|(name, _)| name == "le").map(|place| labels.remove(place).1);
        let histogram = histograms.entry(labels).or_default();
        match (sample.name.strip_prefix(name), bound.map(|bound| bound.parse::<f64>())) {
            (Some("_bucket"), Some(Ok(bound))) => histogram.buckets.push((bound, sample.value)),
            (Some("_sum"), _) => histogram.sum = sample.value,
            (Some("_count"), _) => histogram.count = sample.value,
            _ => {}
        }
    }
    histograms
}

impl Histogram {
    /// The values between two bounds each, where the page has all up to a bound.
    fn fill(&self, point: Json) -> Json {
        let mut below = 0.0;
        let counts: Vec<String> = self
            .buckets
            .iter()
            .map(|(_, count)| {
                let between = count - below;
                below = *count;
                format!("{between:.0}")
            })
            .collect();
        let bounds: Vec<f64> = self.buckets.iter().map(|(bound, _)| *bound).filter(|bound| bound.is_finite()).collect();
        let point = with(point, "count", format!("{:.0}", self.count).into());
        let point = with(point, "sum", self.sum.into());
        let point = with(point, "bucketCounts", counts.into());
        with(point, "explicitBounds", bounds.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
# HELP svc_calls_total Calls, by class.
# TYPE svc_calls_total counter
svc_calls_total{class=\"2xx\"} 7
svc_calls_total{class=\"5xx\"} 0

# TYPE svc_open gauge
svc_open 3

# HELP svc_step_seconds Time.
# TYPE svc_step_seconds histogram
svc_step_seconds_bucket{step=\"rank\",le=\"0.5\"} 2
svc_step_seconds_bucket{step=\"rank\",le=\"2\"} 5
svc_step_seconds_bucket{step=\"rank\",le=\"+Inf\"} 6
svc_step_seconds_sum{step=\"rank\"} 4.5
svc_step_seconds_count{step=\"rank\"} 6
";

    #[test]
    fn the_page_becomes_sums_gauges_and_histograms() {
        let sent = metrics(&json!({}), PAGE, SystemTime::UNIX_EPOCH);
        let sent = &sent["resourceMetrics"][0]["scopeMetrics"][0]["metrics"];
        assert_eq!(sent[0]["name"], "svc_calls_total");
        assert_eq!(sent[0]["description"], "Calls, by class.");
        assert_eq!(
            (&sent[0]["sum"]["isMonotonic"], &sent[0]["sum"]["aggregationTemporality"]),
            (&json!(true), &json!(2))
        );
        let point = &sent[0]["sum"]["dataPoints"][0];
        assert_eq!((&point["asDouble"], &point["attributes"]), (&json!(7.0), &json!([text("class", "2xx")])));
        assert_eq!(sent[1]["gauge"]["dataPoints"][0]["asDouble"], 3.0);
        let point = &sent[2]["histogram"]["dataPoints"][0];
        assert_eq!(point["attributes"], json!([text("step", "rank")]));
        assert_eq!((&point["count"], &point["sum"]), (&json!("6"), &json!(4.5)));
        assert_eq!((&point["bucketCounts"], &point["explicitBounds"]), (&json!(["2", "3", "1"]), &json!([0.5, 2.0])));
    }

    #[test]
    fn every_metric_of_the_process_is_sent() {
        let page = crate::metrics::render(crate::admission::answer_queue::Load::default());
        let sent = metrics(&json!({}), &page, SystemTime::UNIX_EPOCH);
        let sent = sent["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].as_array().cloned().unwrap_or_default();
        let names = page.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
        assert!(names.clone().count() > 10);
        for name in names {
            let metric = sent.iter().find(|metric| metric["name"] == name).unwrap();
            let points = ["sum", "gauge", "histogram"].map(|kind| metric[kind]["dataPoints"][0].is_object());
            assert_eq!(points.into_iter().filter(|is_there| *is_there).count(), 1, "{metric}");
        }
    }
}
