-- What a chatbot says to small talk; a reply that is missing is the platform's.
alter table chatbots add column small_talk jsonb not null default '{}';

grant update (small_talk) on chatbots to svc_tenant;

-- What a reply to small talk was about; null for answers, fallback messages and questions.
alter table chat_messages add column small_talk text
    constraint chat_messages_small_talk_check check (small_talk in ('greeting', 'thanks', 'goodbye', 'robot', 'human'));
