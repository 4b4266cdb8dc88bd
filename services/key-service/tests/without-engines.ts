import { createReadiness } from '@cellarman/lifecycle';
import { createLogger } from '@cellarman/telemetry';
import type { AppOptions } from '../src/app.ts';

const unused = new Proxy(
  {},
  {
    get: () => () => {
      throw new Error('a secret detail');
    },
  },
) as never;

export const TOKEN = 'internal-token-of-the-tests';

/** No engine is needed to see how requests are rejected: what they would be needed for fails. */
export const WITHOUT_ENGINES = {
  users: unused,
  setUp: unused,
  changePassword: unused,
  commit: unused,
  checkPassword: unused,
  invitations: unused,
  tokens: unused,
  passwords: unused,
  sessions: unused,
  cookie: unused,
  throttle: unused,
  auditSignIns: unused,
  findAccount: unused,
  cellars: unused,
  kegs: unused,
  keys: unused,
  claimCodes: unused,
  claimKey: unused,
  audit: unused,
  rejections: unused,
  replicas: unused,
  history: unused,
  deadLetters: unused,
  sendToIngest: unused,
  runbookBaseUrl: undefined,
  rules: unused,
  destinations: unused,
  alerts: unused,
  internal: {
    tokens: { ingest: [], query: [], sink: [], shared: [TOKEN] },
    lookUp: unused,
    changes: unused,
    lastUsed: unused,
    rejections: unused,
    lastRejection: unused,
    replicas: unused,
    deadLetters: unused,
    retention: unused,
    kegs: unused,
    sessions: unused,
  },
  defaultRetentionDays: 90,
  dashboardDirectory: '/nothing/is/built',
  ingestUrl: undefined,
  maxConnections: 100,
  streamLimits: unused,
  liveResponses: unused,
  trustedProxies: [],
  readiness: createReadiness({ parts: ['postgres'] }),
  metricsText: async () => 'up 1\n',
  logger: createLogger({ service: 'test', version: '0', level: 'silent' }),
} satisfies AppOptions;
