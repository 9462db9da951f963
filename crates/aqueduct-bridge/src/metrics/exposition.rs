use std::fmt::Write as _;

use super::HistogramSnapshot;

/// Metrics in Prometheus' text format, version 0.0.4.
#[derive(Debug, Default)]
pub(crate) struct Exposition(String);

/// The names and values of a sample's labels.
pub(crate) type Labels<'a> = &'a [(&'a str, &'a str)];

impl Exposition {
    /// A counter without labels.
    pub(crate) fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.family(name, help, "counter");
        self.sample(name, &[], value);
    }

    /// A gauge without labels.
    pub(crate) fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.family(name, help, "gauge");
        self.sample(name, &[], value);
    }

    /// A gauge for each value of a label.
    pub(crate) fn gauges<'v>(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        values: impl IntoIterator<Item = (&'v str, u64)>,
    ) {
        self.labelled(name, help, "gauge", label, values);
    }

    /// A counter for each value of a label.
    pub(crate) fn counters<'v>(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        values: impl IntoIterator<Item = (&'v str, u64)>,
    ) {
        self.labelled(name, help, "counter", label, values);
    }

    fn labelled<'v>(
        &mut self,
        name: &str,
        help: &str,
        kind: &str,
        label: &str,
        values: impl IntoIterator<Item = (&'v str, u64)>,
    ) {
        self.family(name, help, kind);
        for (key, value) in values {
            self.sample(name, &[(label, key)], value);
        }
    }

    /// A histogram.
    pub(crate) fn histogram(&mut self, name: &str, help: &str, values: &HistogramSnapshot) {
        self.family(name, help, "histogram");
        let bucket = format!("{name}_bucket");
        for (bound, count) in &values.buckets {
            let bound = bound.to_string();
            self.sample(&bucket, &[("le", bound.as_str())], *count);
        }
        self.sample(&bucket, &[("le", "+Inf")], values.count);
        self.sample(&format!("{name}_sum"), &[], values.sum);
        self.sample(&format!("{name}_count"), &[], values.count);
    }

    /// The lines before the samples of a metric.
    pub(crate) fn family(&mut self, name: &str, help: &str, kind: &str) {
        let help = help.replace('\\', "\\\\").replace('\n', "\\n");
        // Writing to a string does not fail.
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    /// A sample of the metric whose family came last.
    pub(crate) fn sample(&mut self, name: &str, labels: Labels<'_>, value: impl std::fmt::Display) {
        self.0.push_str(name);
        for (number, (label, value)) in labels.iter().enumerate() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            let before = if number == 0 { '{' } else { ',' };
            let _ = write!(self.0, "{before}{label}=\"{value}\"");
        }
        let end = if labels.is_empty() { "" } else { "}" };
        let _ = writeln!(self.0, "{end} {value}");
    }

    /// The whole text.
    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Histogram;

    #[test]
    fn values_of_labels_are_escaped() {
        let mut text = Exposition::default();
        text.gauges("sessions", "Sessions.", "status", [("a\"b\\c\nd", 1), ("idle", 2)]);
        insta::assert_snapshot!(text.into_text(), @r#"
        # HELP sessions Sessions.
        # TYPE sessions gauge
        sessions{status="a\"b\\c\nd"} 1
        sessions{status="idle"} 2
        "#);
    }

    #[test]
    fn a_histogram_has_cumulative_buckets() {
        let times = Histogram::of_times(&[500, 1_000_000]);
        times.record(400);
        times.record(2_000_000);
        let mut text = Exposition::default();
        text.histogram("wait_seconds", "Times.", &times.snapshot());
        insta::assert_snapshot!(text.into_text(), @r#"
        # HELP wait_seconds Times.
        # TYPE wait_seconds histogram
        wait_seconds_bucket{le="0.0005"} 1
        wait_seconds_bucket{le="1"} 1
        wait_seconds_bucket{le="+Inf"} 2
        wait_seconds_sum 2.0004
        wait_seconds_count 2
        "#);
    }
}
