#!/bin/sh
# Makes Keycloak's role and database, while PostgreSQL sets up its own.
set -eu
psql -v ON_ERROR_STOP=1 -v secret="$KEYCLOAK_PASSWORD" --username postgres --dbname postgres <<'SQL'
create role keycloak login password :'secret';
create database keycloak owner keycloak;
SQL
