-- Other phrasings of the question of a tenant's own answer. Each is a passage of the answer's document.
alter table chatbot_faq
    add column variants text[] not null default '{}',
    add constraint chatbot_faq_variants_check check (cardinality(variants) <= 10);

grant update (variants) on chatbot_faq to svc_tenant;
