-- A server sees at its start whether all its migrations were applied.
grant select (version) on _sqlx_migrations to svc_system;
