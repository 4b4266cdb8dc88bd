#!/bin/bash
# Makes a database at the first start, as the official image does, then runs PostgreSQL as the user postgres.
set -euo pipefail
if [ "$(id -u)" = 0 ]; then exec setpriv --reuid postgres --regid postgres --clear-groups "$0" "$@"; fi

user=${POSTGRES_USER:-postgres}
method=${POSTGRES_HOST_AUTH_METHOD:-scram-sha-256}
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  initdb --pgdata "$PGDATA" --username "$user" --encoding UTF8 --locale C --auth-local trust --auth-host trust > /dev/null
  postgres --single -j -D "$PGDATA" postgres <<< "CREATE DATABASE \"${POSTGRES_DB:-$user}\"" > /dev/null
  if [ -n "${POSTGRES_PASSWORD:-}" ]; then
    postgres --single -j -D "$PGDATA" postgres <<< "ALTER USER \"$user\" PASSWORD '$POSTGRES_PASSWORD'" > /dev/null
  fi
  echo "host all all all $method" >> "$PGDATA/pg_hba.conf"
fi
exec "$@" -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/tmp
