#!/usr/bin/env python3
"""Writes dashboard.json, the Grafana dashboard of the metrics of docs/operations.md."""

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
JOB = 'job=~"$job"'
RATE = "[$__rate_interval]"
# Title, unit, what to show with its legend, and a sentence for the reader.
PANELS = [
    ("Requests", "reqps", [(f"sum by (class) (rate(svc_http_requests_total{{{JOB}}}{RATE}))", "{{class}}")], "By class of status."),
    (
        "Failed requests", "percentunit",
        [(f'sum(rate(svc_http_requests_total{{{JOB},class="5xx"}}{RATE})) / sum(rate(svc_http_requests_total{{{JOB}}}{RATE}))', "5xx")],
        "Above 1 % for five minutes raises an alert.",
    ),
    (
        "Time until the answer started", "s",
        [(f"histogram_quantile({part}, sum by (le) (rate(svc_http_request_seconds_bucket{{{JOB}}}{RATE})))", name) for part, name in (("0.5", "half"), ("0.95", "95 %"))],
        "Of all requests.",
    ),
    ("Requests in flight", "short", [(f"svc_http_requests_in_flight{{{JOB}}}", "{{instance}}")], "Whose answer has not started."),
    (
        "Questions", "short",
        [(f"sum(svc_answers_running{{{JOB}}})", "in progress"), (f"sum(svc_answers_waiting{{{JOB}}})", "waiting")],
        "In progress, and in the queue.",
    ),
    (
        "Steps of answers", "s",
        [(f"sum by (step) (rate(svc_answer_step_seconds_sum{{{JOB}}}{RATE})) / sum by (step) (rate(svc_answer_step_seconds_count{{{JOB}}}{RATE}))", "{{step}}")],
        "Mean time of each step.",
    ),
    ("Refused questions", "short", [(f"sum by (reason) (increase(svc_answers_refused_total{{{JOB}}}{RATE}))", "{{reason}}")], "The queue was full, or the wait too long."),
    (
        "Sentences of the language model", "short",
        [(f"sum by (outcome) (increase(svc_generator_sentences_total{{{JOB}}}{RATE}))", "{{outcome}}")],
        "Supported by a passage, unsupported, or invented.",
    ),
    (
        "Failures of models", "short",
        [
            (f"sum(increase(svc_generator_failures_total{{{JOB}}}{RATE}))", "language model"),
            (f'sum(increase(svc_rerank_total{{{JOB},outcome="failed"}}{RATE}))', "reranker"),
        ],
        "Questions that could not be asked.",
    ),
    ("Output filter", "short", [(f"sum by (category, effect) (increase(svc_output_filter_triggers_total{{{JOB}}}{RATE}))", "{{category}} {{effect}}")], "Matches of its rules."),
    (
        "Knowledge search", "s",
        [(f"histogram_quantile(0.95, sum by (le) (rate(svc_knowledge_search_seconds_bucket{{{JOB}}}{RATE})))", "95 %")],
        "Time of searches in the hub.",
    ),
    ("Knowledge searches", "reqps", [(f"sum by (outcome) (rate(svc_knowledge_searches_total{{{JOB}}}{RATE}))", "{{outcome}}")], "With results or without."),
    ("Connections", "short", [(f"svc_http_connections{{{JOB}}}", "{{instance}}")], "Open ones of each process."),
    ("Refused connections", "short", [(f"sum by (reason) (increase(svc_http_connections_refused_total{{{JOB}}}{RATE}))", "{{reason}}")], "Beyond a bound: of their address, or of all."),
    ("Lost spans", "short", [(f"sum by (instance) (increase(svc_otlp_spans_dropped_total{{{JOB}}}{RATE}))", "{{instance}}")], "Of traces that the collector did not get."),
    ("Memory", "bytes", [(f"process_resident_memory_bytes{{{JOB}}}", "{{instance}}")], "In use by each process."),
]
SOURCE = {"type": "prometheus", "uid": "${source}"}


def panel(number: int, title: str, unit: str, queries: list, description: str) -> dict:
    return {
        "id": number + 1,
        "type": "timeseries",
        "title": title,
        "description": description,
        "datasource": SOURCE,
        "gridPos": {"h": 8, "w": 8, "x": number % 3 * 8, "y": number // 3 * 8},
        "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
        "targets": [
            {"refId": chr(65 + place), "datasource": SOURCE, "expr": query, "legendFormat": legend}
            for place, (query, legend) in enumerate(queries)
        ],
    }


def dashboard() -> str:
    variables = [
        {"name": "source", "label": "Source", "type": "datasource", "query": "prometheus"},
        {
            "name": "job", "label": "Job", "type": "query", "datasource": SOURCE, "query": "label_values(svc_http_requests_total, job)",
            "refresh": 2, "includeAll": True, "multi": True, "current": {"text": "All", "value": "$__all"},
        },
    ]
    content = {
        "title": "Chatbot platform",
        "uid": "chatbot-platform",
        "schemaVersion": 39,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "templating": {"list": variables},
        "panels": [panel(number, *described) for number, described in enumerate(PANELS)],
    }
    return json.dumps(content, indent=1) + "\n"


if __name__ == "__main__":
    (HERE / "dashboard.json").write_text(dashboard())
