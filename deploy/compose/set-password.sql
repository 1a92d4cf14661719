-- Gives the role with which the platform signs in its password, after each migration.
\set ON_ERROR_STOP on
\getenv secret APP_PASSWORD
alter role svc_app password :'secret';
