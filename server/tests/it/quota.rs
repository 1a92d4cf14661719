//! The quota of chatbots per tenant.

use serde_json::json;

use crate::support::{Platform, TestResponse, new_chatbot};

const CHATBOTS: &str = "/api/v1/tenants/me/chatbots";

fn assert_refused(answer: &TestResponse, limit: i64) {
    assert_eq!((answer.status, answer.detail()), (422, "quota_chatbots"), "{answer:?}");
    let error = &answer.body["errors"][0];
    assert_eq!((&error["limit"], &error["used"], &error["type"]), (&json!(limit), &json!(limit), &json!("quota")));
}

#[tokio::test]
async fn one_chatbot_too_many_is_refused_with_the_numbers() {
    let platform = Platform::start_with(|settings| settings.quotas.chatbots = Some(2)).await;
    let (tenant, other) = (platform.add_tenant("one").await, platform.add_tenant("two").await);
    let admin = platform.admin(tenant.id);
    assert_eq!(admin.post(CHATBOTS, &new_chatbot("second")).await.status, 201);
    let rows = platform.audit_rows().await;
    assert_refused(&admin.post(CHATBOTS, &new_chatbot("third")).await, 2);
    assert_eq!(platform.audit_rows().await, rows, "nothing was written");
    assert_eq!(admin.delete(&format!("{CHATBOTS}/{}", tenant.chatbot)).await.status, 204);
    assert_refused(&admin.post(CHATBOTS, &new_chatbot("third")).await, 2);
    assert_eq!(
        platform.admin(other.id).post(CHATBOTS, &new_chatbot("second")).await.status,
        201,
        "others have their own"
    );
}

#[tokio::test]
async fn of_two_creations_at_the_limit_one_succeeds() {
    let platform = Platform::start_with(|settings| settings.quotas.chatbots = Some(2)).await;
    let tenant = platform.add_tenant("one").await;
    let admin = platform.admin(tenant.id);
    let (one, two) = (new_chatbot("second"), new_chatbot("third"));
    let (one, two) = tokio::join!(admin.post(CHATBOTS, &one), admin.post(CHATBOTS, &two));
    let (created, refused) = if one.status == 201 { (one, two) } else { (two, one) };
    assert_eq!(created.status, 201, "{created:?}");
    assert_refused(&refused, 2);
}
