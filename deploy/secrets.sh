#!/bin/sh
# Makes the secrets of compose.yaml, once, in deploy/secrets. Keep a copy: the database and the bucket are opened with them.
set -eu
cd "$(dirname "$0")"
if ! mkdir -m 0700 secrets; then
  echo 'deploy/secrets exists already. To make other secrets, stop the containers and move it away.' >&2
  exit 1
fi

random() { od -An -tx1 -N "$1" /dev/urandom | tr -d ' \n'; }
postgres=$(random 24)
s3=$(random 24)

printf '%s' "$postgres" >secrets/postgres-password
printf '%s' "$s3" >secrets/s3-secret
cat >secrets/config.yaml <<END
database:
  dsn: postgres://arsenal:$postgres@postgres/arsenal
storage:
  s3:
    secret_access_key: $s3
security:
  instance_key: $(head -c 32 /dev/urandom | base64)
  bootstrap_admin:
    password: $(random 12)
END
# Containers read them as other users; the folder keeps everybody else out.
chmod 0444 secrets/*
echo "Made deploy/secrets. The password of service-admin is in deploy/secrets/config.yaml."
