//! Creates missing parts of the demo world.

use contract::{
    ChatbotId, ErrorCode, ModuleId, Patch, TemplateId, TenantId,
    branding::{BrandingFieldsPatch, TenantBrandingPatch},
    chatbots::{Chatbot, NewChatbot, Provisioning},
    identity::{Identity, TokenScope},
    templates::{NewTemplate, TemplatePatch},
    tenants::NewTenant,
};
use store::Scope;
use uuid::{Uuid, uuid};

use super::{DemoDocuments, history, templates};
use crate::{
    auth::{PLATFORM_REALM, TENANT_REALM},
    caller::Caller,
    error::ApiError,
    precondition::IfMatch,
    service::{
        self,
        knowledge::{self, ingestion},
    },
    state::App,
};

/// The chatbot that answers from the project's documentation.
pub(super) const PLATFORM_HELP: Uuid = uuid!("b7d4f1a2-6c3e-4f58-8a90-2e1d7c5b4f33");
/// The chatbot that answers from Debian's FAQ.
pub(super) const DEBIAN_FAQ: Uuid = uuid!("e19a5c70-4b82-4d36-9f17-7a6c3b2d8e44");

/// The chatbot that answers from the shop's documents.
pub(super) const SHOP: Uuid = uuid!("a3e8c6d1-72f4-4b95-8c10-9d2e4f6a1b66");
/// The German chatbot that answers from the documents of a club.
pub(super) const CLUB: Uuid = uuid!("c4a7d2e8-91b5-4f06-8d3a-5e6f7a8b9c55");

/// One tenant of the demo world with its chatbot.
struct World {
    tenant: Uuid,
    slug: &'static str,
    name: &'static str,
    color: &'static str,
    chatbot: Uuid,
    chatbot_slug: &'static str,
    chatbot_name: &'static str,
    template: &'static str,
    /// Whether it begins with the knowledge hub.
    has_hub: bool,
    /// First words and suggested questions instead of the template's.
    own_words: Option<(&'static str, &'static [&'static str])>,
}

const WORLDS: [World; 2] = [
    World {
        tenant: uuid!("6f1e2a8c-0d5b-4c47-9a57-1c2f7f0b3a11"),
        slug: "harbor",
        name: "Harbor Supply",
        color: "#0f5c8c",
        chatbot: PLATFORM_HELP,
        chatbot_slug: "platform-help",
        chatbot_name: "Platform help",
        template: "product-help-en",
        has_hub: true,
        own_words: None,
    },
    World {
        tenant: uuid!("8c0b7e94-2f3d-4e61-b6a8-5d9e4c1a7b22"),
        slug: "debian-friends",
        name: "Debian Friends",
        color: "#a80030",
        chatbot: DEBIAN_FAQ,
        chatbot_slug: "debian-faq",
        chatbot_name: "Debian FAQ",
        template: "debian-faq-en",
        has_hub: false,
        own_words: None,
    },
];

/// The first tenant's chatbot on the shop's page.
const ASSISTANT: World = World {
    chatbot: SHOP,
    chatbot_slug: "shop-assistant",
    chatbot_name: "Shop assistant",
    template: "shop-en",
    ..WORLDS[0]
};

/// The second tenant's German chatbot.
const GERMAN: World = World {
    chatbot: CLUB,
    chatbot_slug: "kurs-hilfe",
    chatbot_name: "Kurs-Hilfe",
    template: "support-de",
    own_words: Some((
        "Hallo! Ich beantworte Fragen zu unseren Kursen und zum Verein.",
        &["Was kostet der Einsteigerkurs?", "Wann ist der Stammtisch?", "Wie werde ich Mitglied?"],
    )),
    ..WORLDS[1]
};

/// Why the demo world could not be created.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    /// A service refused.
    #[error("the demo world could not be made: {0}")]
    Refused(String),
    /// The documents could not be ingested.
    #[error("the demo world's documents could not be ingested: {0}")]
    Ingest(#[from] knowledge::Error),
}

impl From<ApiError> for SeedError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error.into_body().detail)
    }
}

/// Creates what is missing, ingests changed documents, and returns the chatbots. `site_url` may embed them. Tenants that were
/// deleted stay so.
///
/// # Errors
/// When a service refuses or the documents cannot be ingested.
pub async fn seed(app: &App, demo_documents: &DemoDocuments, site_url: &str) -> Result<Vec<Chatbot>, SeedError> {
    let operator = caller(None);
    let is_wanted =
        |template: &NewTemplate| demo_documents.showcase.is_some() || template.id.as_str() != ASSISTANT.template;
    for template in templates::all().into_iter().filter(is_wanted) {
        unless_conflict(service::templates::create(app, &operator, &template).await)?;
    }
    let deleted = deleted(app).await?;
    let (mut chatbots, mut documents) = (Vec::new(), Vec::new());
    let mut is_first = deleted.is_empty();
    for (world, paths) in WORLDS.iter().zip([&demo_documents.platform, &demo_documents.debian_faq]) {
        if deleted.contains(&world.tenant) {
            continue;
        }
        let is_new = is_missing(app, world).await;
        chatbots.push(create_chatbot(app, &operator, world, site_url).await?);
        documents.push(paths);
        if is_new && world.has_hub {
            enable_hub(app, &operator, TenantId(world.tenant)).await?;
        }
        is_first &= is_new;
    }
    if let Some(showcase) = &demo_documents.showcase {
        for (world, paths) in [(&ASSISTANT, &showcase.shop), (&GERMAN, &showcase.club)] {
            if deleted.contains(&world.tenant) {
                continue;
            }
            chatbots.push(create_chatbot(app, &operator, world, site_url).await?);
            documents.push(paths);
        }
    }
    for (chatbot, paths) in chatbots.iter().zip(documents) {
        if paths.is_empty() {
            tracing::warn!(chatbot = %chatbot.slug, "demo.documents_missing");
            continue;
        }
        let report = ingestion::run(app, chatbot, paths, true).await?;
        tracing::info!(chatbot = %chatbot.slug, %report, "demo.documents_ingested");
    }
    if demo_documents.showcase.is_some() {
        // The chatbots answer the questions of their past from their documents.
        if is_first {
            seed_usage(app, &operator, &chatbots).await?;
        }
        for world in WORLDS.iter().filter(|world| !deleted.contains(&world.tenant)) {
            history::growth::write(app, TenantId(world.tenant)).await?;
        }
    }
    Ok(chatbots)
}

/// The tenants of the demo world that were deleted.
async fn deleted(app: &App) -> Result<Vec<Uuid>, SeedError> {
    let mut tx = app.db.read(&Scope::operator()).await.map_err(ApiError::from)?;
    let mut deleted = Vec::new();
    for world in &WORLDS {
        if store::tenants::is_deleted(&mut tx, TenantId(world.tenant)).await.map_err(ApiError::from)? {
            tracing::info!(tenant = world.slug, "demo.tenant_left_out: it was deleted");
            deleted.push(world.tenant);
        }
    }
    Ok(deleted)
}

async fn enable_hub(app: &App, operator: &Caller, tenant: TenantId) -> Result<(), SeedError> {
    if let Ok(module) = ModuleId::try_from(contract::modules::KNOWLEDGE_HUB.to_owned()) {
        service::modules::tenant_modules::set(app, operator, tenant, &module, true).await?;
    }
    Ok(())
}

async fn is_missing(app: &App, world: &World) -> bool {
    let admin = caller(Some(TenantId(world.tenant)));
    service::chatbots::get(app, &admin, ChatbotId(world.chatbot)).await.is_err()
}

/// Writes what a world has that was used for two months: conversations, a website that was refused, and a template that has
/// a newer version than its chatbot.
async fn seed_usage(app: &App, operator: &Caller, chatbots: &[Chatbot]) -> Result<(), SeedError> {
    let of = |id: Uuid| chatbots.iter().find(|chatbot| chatbot.id.0 == id);
    for (id, name) in [(SHOP, "shop"), (CLUB, "club"), (PLATFORM_HELP, "platform"), (DEBIAN_FAQ, "debian")] {
        if let Some(chatbot) = of(id) {
            history::write(app, chatbot, name).await?;
        }
    }
    if let Some(chatbot) = of(SHOP) {
        history::refuse_a_website(app, chatbot).await?;
        let contact = BrandingFieldsPatch {
            contact_url: Patch::Value("mailto:crew@harbor-supply.example".to_owned()),
            ..BrandingFieldsPatch::default()
        };
        let patch = TenantBrandingPatch { fields: contact, ..TenantBrandingPatch::default() };
        let admin = caller(Some(chatbot.tenant_id));
        service::branding::update_own(app, &admin, &IfMatch::default(), patch).await?;
    }
    let newer = TemplatePatch {
        fallback_message: Some(
            "I found nothing about that. Try other words, or write to the crew: we answer within a day.".to_owned(),
        ),
        ..TemplatePatch::default()
    };
    if let Ok(id) = TemplateId::try_from(ASSISTANT.template.to_owned()) {
        service::templates::update(app, operator, &id, &IfMatch::default(), newer).await?;
    }
    Ok(())
}

async fn create_chatbot(app: &App, operator: &Caller, world: &World, site_url: &str) -> Result<Chatbot, SeedError> {
    let tenant = TenantId(world.tenant);
    let new = NewTenant {
        slug: world.slug.to_owned(),
        display_name: world.name.to_owned(),
        default_language: "en".to_owned(),
    };
    if service::tenants::get(app, operator, tenant).await.is_err() {
        service::tenants::create_with_id(app, operator, tenant, &new).await?;
    }
    let admin = caller(Some(tenant));
    brand(app, &admin, world, site_url).await?;
    let id = ChatbotId(world.chatbot);
    if service::chatbots::get(app, &admin, id).await.is_err() {
        let template = TemplateId::try_from(world.template.to_owned());
        let new = NewChatbot {
            slug: world.chatbot_slug.to_owned(),
            name: world.chatbot_name.to_owned(),
            template_id: template.ok(),
            welcome_message: world.own_words.map(|(welcome, _)| welcome.to_owned()),
            suggested_questions: world
                .own_words
                .map(|(_, questions)| questions.iter().map(|question| (*question).to_owned()).collect()),
            ..NewChatbot::default()
        };
        service::chatbots::create_with_id(app, &admin, id, new).await?;
    }
    let chatbot = service::chatbots::get(app, &admin, id).await?;
    match chatbot.provisioning {
        Provisioning::Ready => Ok(chatbot),
        _ if chatbot.deactivated_at.is_some() => Ok(chatbot),
        _ => Ok(service::chatbots::provision(app, &admin, id).await?),
    }
}

/// Sets a tenant's colours once, and allows the demo site at every start.
async fn brand(app: &App, admin: &Caller, world: &World, site_url: &str) -> Result<(), SeedError> {
    let branding = service::branding::get_own(app, admin).await?;
    let mut origins = branding.allowed_origins.clone();
    if !origins.iter().any(|origin| origin == site_url) {
        origins.push(site_url.to_owned());
    }
    let mut fields = BrandingFieldsPatch::default();
    if branding.updated_at.is_none() {
        fields.display_name = Patch::Value(world.name.to_owned());
        fields.primary_color = Patch::Value(world.color.to_owned());
    }
    let patch =
        TenantBrandingPatch { fields, allowed_origins: Patch::Value(origins), ..TenantBrandingPatch::default() };
    service::branding::update_own(app, admin, &IfMatch::default(), patch).await?;
    Ok(())
}

fn unless_conflict<T>(result: Result<T, ApiError>) -> Result<(), SeedError> {
    match result {
        Ok(_) => Ok(()),
        Err(error) if error.status() == ErrorCode::TemplateExists.status() => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The one who makes the demo world: an operator, or the administrator of a tenant.
pub(crate) fn caller(tenant: Option<TenantId>) -> Caller {
    let (realm, scope, role) = match tenant {
        Some(_) => (TENANT_REALM, TokenScope::Tenant, "tenant-admin"),
        None => (PLATFORM_REALM, TokenScope::Operator, "operator"),
    };
    Caller {
        key: None,
        identity: Identity {
            realm: realm.to_owned(),
            username: "demo".to_owned(),
            scope,
            roles: vec![role.to_owned()],
            tenant_id: tenant,
            client_id: "demo".to_owned(),
            session_id: None,
            expires_at: contract::Timestamp::MAX_UTC,
        },
        issued_at: chrono::Utc::now().timestamp(),
        ip_address: None,
    }
}
