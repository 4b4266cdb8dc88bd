import { CELLARS, LARGE_CELLAR } from './fill.ts';

export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  body?: object;
}

export interface Known {
  /** Ids of keys of the large cellar. */
  ids: readonly string[];
  hashes: readonly string[];
  /** A user who has created nothing. */
  userId: string;
  epoch: string;
}

const KEYS = `/api/v1/cellars/${LARGE_CELLAR}/keys`;
const LAST_CELLAR = `c-${String(CELLARS - 1).padStart(6, '0')}`;

/** What is called besides every GET of the OpenAPI document. The order counts: the last ones remove what others need. */
export function operations({ ids, hashes, userId, epoch }: Known): Operation[] {
  const [first = '', second = '', third = ''] = ids;
  const at = new Date(Date.now() - 1_000).toISOString();
  const get = (path: string): Operation => ({ method: 'GET', path });
  const post = (path: string, body: object = {}): Operation => ({ method: 'POST', path, body });
  const lists = ['createdAt', 'name', 'expiresAt', 'lastUsedAt'].flatMap((sort) =>
    ['asc', 'desc'].flatMap((order) =>
      ['active', 'expired', 'revoked', undefined].map((state) =>
        get(`${KEYS}?sort=${sort}&order=${order}${state === undefined ? '' : `&state=${state}`}&limit=200`),
      ),
    ),
  );
  return [
    ...lists,
    get(`${KEYS}?search=ffff&state=active`),
    get(`${KEYS}?search=not-there&sort=name`),
    get('/api/v1/cellars?limit=200'),
    get('/api/v1/cellars?search=9&limit=200'),
    get(`/api/v1/cellars/${LAST_CELLAR}`),
    get(`/api/v1/cellars/${LARGE_CELLAR}/audit?limit=200`),
    get(`/internal/v1/retention?epoch=${encodeURIComponent(epoch)}&after=0`),
    get('/internal/v1/changes?after=0'),
    post('/internal/v1/keys/look-up', { hashes }),
    post('/internal/v1/keys/last-used', { uses: ids.map((id) => ({ id, at })) }),
    post('/api/v1/cellars', { name: 'created' }),
    { method: 'PATCH', path: `/api/v1/cellars/${LARGE_CELLAR}`, body: { retentionDays: 30 } },
    post(KEYS, { name: 'created', rack: 'r' }),
    post(`/api/v1/cellars/${LARGE_CELLAR}/key-batches`, {
      keys: Array.from({ length: 1_000 }, (_, n) => ({ name: `bulk ${n}`, idempotencyKey: `${at}/${n}` })),
    }),
    { method: 'PATCH', path: `${KEYS}/${first}`, body: { name: 'renamed' } },
    post(`${KEYS}/${second}/rotate`, { overlapSeconds: 60 }),
    post(`${KEYS}/${third}/revoke`),
    post(`/api/v1/cellars/${LARGE_CELLAR}/alert-rules`, {
      ...{ name: 'expiry', destinations: [] },
      condition: { kind: 'key_expires', withinDays: 7 },
    }),
    post('/api/v1/cellars/b-40/archive'),
    post(`/api/v1/cellars/${LARGE_CELLAR}/archive`),
    get(`${KEYS}?state=active`),
    { method: 'PATCH', path: `/api/v1/users/${userId}`, body: { isDisabled: true, revokeCreated: true } },
  ];
}
