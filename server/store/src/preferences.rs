//! Preferences of the transaction's user.

use contract::preferences::{Preferences, Theme};

use crate::{connection::PgConnection, error::Result};

/// The preferences of a user, created with defaults if there are none; sets `theme` if it is given.
///
/// # Errors
/// When the transaction's scope has another user.
pub async fn upsert(
    connection: &mut PgConnection,
    realm: &str,
    username: &str,
    theme: Option<Theme>,
) -> Result<Preferences> {
    let theme: String = sqlx::query_scalar(
        "insert into user_preferences (realm, username, preferred_theme) values ($1, $2, coalesce($3, 'auto'))
         on conflict (realm, username) do update
         set preferred_theme = coalesce($3, user_preferences.preferred_theme),
             updated_at = case when $3 is null then user_preferences.updated_at else now() end
         returning preferred_theme",
    )
    .bind(realm)
    .bind(username)
    .bind(theme.map(Theme::as_str))
    .fetch_one(connection)
    .await?;
    Ok(Preferences { preferred_theme: theme.parse()? })
}

/// The preferences of a user; `None` before they are created.
pub async fn find(connection: &mut PgConnection, realm: &str, username: &str) -> Result<Option<Preferences>> {
    let theme: Option<String> =
        sqlx::query_scalar("select preferred_theme from user_preferences where realm = $1 and username = $2")
            .bind(realm)
            .bind(username)
            .fetch_optional(connection)
            .await?;
    theme.map(|theme| Ok(Preferences { preferred_theme: theme.parse()? })).transpose()
}
