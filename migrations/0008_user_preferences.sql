-- Preferences of a user of either realm; each transaction reaches the row of its own user only.
create table user_preferences (
    realm text not null,
    username text not null,
    preferred_theme text not null default 'auto'
        constraint user_preferences_preferred_theme_check check (preferred_theme in ('light', 'dark', 'auto')),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint user_preferences_pkey primary key (realm, username)
);
alter table user_preferences enable row level security;
alter table user_preferences force row level security;
create policy user_own on user_preferences to svc_operator, svc_vendor, svc_tenant
    using (realm = (select current_setting('app.realm', true)) and username = (select current_setting('app.username', true)))
    with check (realm = (select current_setting('app.realm', true)) and username = (select current_setting('app.username', true)));
grant select, insert, update on user_preferences to svc_operator, svc_vendor, svc_tenant;
