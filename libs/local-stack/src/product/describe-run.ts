import type { RunFile } from './run-file.ts';

/** What a person wants to know when everything runs, with two commands to paste. */
export function describeRun(run: RunFile, dataDir: string): string {
  const { cellar, apiKey } = run.demo;
  const reading =
    `{"cellar":"${cellar}","rack":"cellar-door","keg":"temperature","value":11.4,` +
    `"timestamp":"'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'"}`;
  const query = `SELECT * FROM readings WHERE cellar = '${cellar}' ORDER BY timestamp DESC LIMIT 5 FORMAT PrettyCompact`;
  return `
Cellarman is running.

  dashboard    ${run.dashboardUrl}
               sign in as ${run.admin.email} with ${run.admin.password}

  ingest       ${run.ingestUrls.join(' ')}
  key-service  ${run.keyServiceUrl}
  sink         ${run.sinkUrl}
  query        ${run.queryUrl}
  ClickHouse   ${run.clickhouseUrl}  (database ${run.clickhouseDatabase}, user ${run.clickhouseUser}, password ${run.clickhousePassword})
  Kafka        ${run.kafkaBrokers.join(' ')}
  Redis        ${run.redisUrl}
  PostgreSQL   ${run.databaseUrl}
  data, logs   ${dataDir}

Send a reading:

curl ${run.ingestUrl}/api/v1/ingest -H 'Content-Type: application/json' -H 'X-API-Key: ${apiKey}' -d '${reading}'

Read it back from ClickHouse:

curl --user '${run.clickhouseUser}:${run.clickhousePassword}' '${run.clickhouseUrl}/?database=${run.clickhouseDatabase}' --data-binary "${query}"

Ctrl-C stops everything and keeps the data.
`;
}
