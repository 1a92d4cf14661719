-- A tenant that was restored can be deleted again. Its people are then signed out again, in the name of the operator who deleted it
-- last.
grant update (actor_realm, actor_user, ip_address, session_id, wanted_at) on people_endings to svc_operator;
