-- The prepared answers of a template become a chatbot's own answers, which its tenant edits and deletes.

-- The question of the template's answer that an own answer came from; null for one that the tenant wrote.
alter table chatbot_faq add column template_question text;
grant update (template_question) on chatbot_faq to svc_tenant;

-- What the chatbot still has to take from its template: what the template said before, and what it says now. Operators and
-- vendors, who read no own answers, write it; the server carries it out in the tenant's scope.
alter table chatbots add column template_answers jsonb;
grant update (template_answers) on chatbots to svc_tenant, svc_operator, svc_vendor;

-- Chatbots that exist take theirs once. The server indexes them and then removes the former, uneditable document.
update chatbots
set template_answers = jsonb_build_object('before', '[]'::jsonb, 'now', template_snapshot -> 'faq_seed')
where jsonb_array_length(coalesce(template_snapshot -> 'faq_seed', '[]')) > 0;
