//! Integration tests of the server against a real PostgreSQL under the restricted role, over real
//! HTTP. `make test` provides the database: `server with-postgres -- cargo test`.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    missing_docs,
    unreachable_pub,
    reason = "a test fails by panicking and explains itself by its name"
)]

mod access;
mod aggregate_names;
mod answer_models;
mod archive;
mod audit;
mod audit_reader;
mod bounded;
mod branding;
mod bulk;
mod catalogue;
mod chatbots;
mod collections;
mod confidence;
mod conversations;
mod cors;
mod crash;
mod demo;
mod dependencies;
mod doctor;
mod document_page;
mod documentation;
mod embed;
mod embedded;
mod emergency;
mod environments;
mod errors;
mod exports;
mod fairness;
mod faq_csv;
mod faq_variants;
mod feedback;
mod former_settings;
mod generator;
mod health;
mod idle;
mod ingest;
mod isolation;
mod jobs;
mod knowledge_hub;
mod languages;
mod layers;
mod llama;
mod matrix;
mod modules;
mod mutations;
mod ocr;
mod openapi;
mod output_filter;
mod output_filter_events;
mod overview;
mod pages;
mod people;
mod pgbouncer;
mod playground;
mod policies;
mod pool;
mod preferences;
mod provisioning;
mod quota;
mod quotas;
mod rate_limit;
mod real_model;
mod reindexing;
mod reranking;
mod role;
mod sandbox;
mod second_vectors;
mod sections;
mod semantics;
mod service_accounts;
mod serving;
mod session_tokens;
mod sessions;
mod shares;
mod silent_database;
mod slices;
mod small_talk;
mod stored_days;
mod stored_values;
mod streaming;
mod stress;
mod support;
mod template_answers;
mod template_update;
mod templates;
mod tenant_erasure;
mod tenant_sources;
mod tenants;
mod tokens;
mod triage;
mod uploads;
mod vectors;
mod vendor_access;
mod versions;
mod websites;
mod widget;
mod words;
