-- A tenant's own question or answer is changed in place.
grant update (question, answer) on chatbot_faq to svc_tenant;
