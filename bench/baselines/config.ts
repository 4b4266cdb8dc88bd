/** What `createClient` of `@clickhouse/client` needs, from the sink's variables. */
export function clickhouseFromEnvironment(env = process.env) {
  return {
    url: env['CLICKHOUSE_URL'] ?? '',
    database: env['CLICKHOUSE_DATABASE'] ?? '',
    username: env['CLICKHOUSE_USER'] ?? '',
    password: env['CLICKHOUSE_PASSWORD'] ?? '',
  };
}
