//! Branding of tenants and chatbots.
