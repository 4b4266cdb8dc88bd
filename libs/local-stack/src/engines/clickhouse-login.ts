import type { EngineUrls } from './engine.ts';

type ClickHouseAccess = Pick<EngineUrls, 'clickhouseUrl' | 'clickhouseUser' | 'clickhousePassword'>;

/** For `createClient` of `@clickhouse/client`. */
export function clickhouseLogin({ clickhouseUrl, clickhouseUser, clickhousePassword }: ClickHouseAccess) {
  return { url: clickhouseUrl, username: clickhouseUser, password: clickhousePassword };
}

/** For a service. */
export function clickhouseVariables(access: ClickHouseAccess) {
  return {
    CLICKHOUSE_URL: access.clickhouseUrl,
    CLICKHOUSE_USER: access.clickhouseUser,
    CLICKHOUSE_PASSWORD: access.clickhousePassword,
  };
}
