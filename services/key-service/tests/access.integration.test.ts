import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCellar, makeKey } from './made.ts';
import { join } from './people.ts';
import type { Person } from './people.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
let granted: string;
let foreign: string;
let member: Person;
let viewer: Person;
beforeAll(async () => {
  service = await startServiceUnderTest();
  granted = (await makeCellar(service)).name;
  foreign = (await makeCellar(service)).name;
  member = await join(service, { role: 'member', cellars: [granted] });
  viewer = await join(service, { role: 'viewer', cellars: [granted] });
});
afterAll(() => service.stop());

/** What members and viewers get on each route: their own, the granted cellars, or nothing. A new route must be put here. */
const ROUTES = {
  theirs: [
    'GET /api/v1/session',
    'GET /api/v1/sessions',
    'DELETE /api/v1/sessions',
    'DELETE /api/v1/sessions/{id}',
    'POST /api/v1/session/password',
    'POST /api/v1/session/confirm',
    'GET /api/v1/cellars',
    'GET /api/v1/ingest-url',
    'GET /api/v1/alerts/summary',
    'GET /api/v1/pipeline/status',
  ],
  granted: [
    'GET /api/v1/cellars/{cellar}',
    'GET /api/v1/cellars/{cellar}/audit',
    'GET /api/v1/cellars/{cellar}/audit.csv',
    'GET /api/v1/cellars/{cellar}/rejections',
    'GET /api/v1/cellars/{cellar}/rejections/counts',
    'GET /api/v1/cellars/{cellar}/rejections/minutes',
    'GET /api/v1/cellars/{cellar}/kegs',
    'GET /api/v1/cellars/{cellar}/alerts',
    'GET /api/v1/cellars/{cellar}/alert-rules',
    'GET /api/v1/cellars/{cellar}/alert-destinations',
    'GET /api/v1/cellars/{cellar}/claim-codes',
    'GET /api/v1/cellars/{cellar}/keys',
    'GET /api/v1/cellars/{cellar}/keys/{id}',
  ],
  /** Of granted cellars too, but not for viewers. */
  changes: [
    'POST /api/v1/cellars/{cellar}/claim-codes',
    'POST /api/v1/cellars/{cellar}/claim-codes/{id}/revoke',
    'POST /api/v1/cellars/{cellar}/keys',
    'POST /api/v1/cellars/{cellar}/key-batches',
    'PATCH /api/v1/cellars/{cellar}/keys/{id}',
    'POST /api/v1/cellars/{cellar}/keys/{id}/revoke',
    'POST /api/v1/cellars/{cellar}/keys/{id}/rotate',
    'POST /api/v1/cellars/{cellar}/test-readings',
  ],
  forbidden: [
    'POST /api/v1/cellars',
    'PATCH /api/v1/cellars/{cellar}',
    'PUT /api/v1/cellars/{cellar}/kegs',
    'DELETE /api/v1/cellars/{cellar}/kegs',
    'POST /api/v1/cellars/{cellar}/archive',
    'POST /api/v1/cellars/{cellar}/alert-rules',
    'PUT /api/v1/cellars/{cellar}/alert-rules/{id}',
    'DELETE /api/v1/cellars/{cellar}/alert-rules/{id}',
    'POST /api/v1/cellars/{cellar}/alert-rules/{id}/mute',
    'POST /api/v1/cellars/{cellar}/alert-destinations',
    'PATCH /api/v1/cellars/{cellar}/alert-destinations/{id}',
    'DELETE /api/v1/cellars/{cellar}/alert-destinations/{id}',
    'POST /api/v1/cellars/{cellar}/alert-destinations/{id}/test',
    'GET /api/v1/pipeline',
    'GET /api/v1/pipeline/history',
    'GET /api/v1/dead-letters',
    'GET /api/v1/dead-letters/{id}',
    'POST /api/v1/dead-letters/replay',
    'POST /api/v1/dead-letters/discard',
    'GET /api/v1/audit',
    'GET /api/v1/audit.csv',
    'GET /api/v1/users',
    'PATCH /api/v1/users/{id}',
    'GET /api/v1/invitations',
    'POST /api/v1/invitations',
    'DELETE /api/v1/invitations/{id}',
    'GET /api/v1/rejections/unauthenticated',
    'GET /api/v1/tokens',
    'POST /api/v1/tokens',
    'POST /api/v1/tokens/{id}/revoke',
  ],
  /** For clients that are not signed in. */
  open: [
    'POST /api/v1/session',
    'DELETE /api/v1/session',
    'GET /api/v1/setup',
    'POST /api/v1/setup',
    'POST /api/v1/join/lookup',
    'POST /api/v1/join',
    'POST /api/v1/claims',
  ],
};

interface OpenApi {
  paths: Record<string, Record<string, { security?: Record<string, string[]>[] }>>;
}

/** All that the management API has, as `GET /api/v1/cellars/{cellar}`, with the credentials that OpenAPI names. */
async function operations(): Promise<{ operation: string; credentials: string[] }[]> {
  const { body } = await service.anonymous.call<OpenApi>('GET', '/api/v1/openapi.json');
  return Object.entries(body.paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security = [] }]) => ({
        operation: `${method.toUpperCase()} ${path}`,
        credentials: security.flatMap((scheme) => Object.keys(scheme)),
      })),
    );
}

const SOME_ID = '9c2b8a52-0000-4000-8000-000000000000';

function addressOf(operation: string, cellar: string): [method: string, path: string] {
  const [method = '', path = ''] = operation.split(' ');
  // Those of dead letters are numbers.
  const id = path.includes('/dead-letters/') ? '1' : SOME_ID;
  return [method, path.replace('{cellar}', cellar).replace('{id}', id)];
}

const statusOf = async (who: Person['client'], operation: string, cellar: string) => {
  const answer = await who.call<{ code?: string } | undefined>(...addressOf(operation, cellar));
  return { operation, status: answer.status, code: answer.body?.code };
};

describe('every route', () => {
  test('has a place in the table of this test', async () => {
    const known = (await operations()).map(({ operation }) => operation);
    expect(known.toSorted()).toEqual(Object.values(ROUTES).flat().toSorted());
  });

  test('says in OpenAPI whether it needs a session, or takes a service token too', async () => {
    const { secret } = (
      await service.admin.call<{ secret: string }>('POST', '/api/v1/tokens', { name: 'all', role: 'owner' })
    ).body;
    for (const { operation, credentials } of await operations()) {
      if (ROUTES.open.includes(operation)) {
        expect([operation, credentials]).toEqual([operation, []]);
        continue;
      }
      const { status } = await service.anonymous.call(...addressOf(operation, 'no-such-cellar'), undefined, {
        authorization: `Bearer ${secret}`,
      });
      const taken = status === 403 ? ['session'] : ['session', 'serviceToken'];
      expect([operation, credentials]).toEqual([operation, taken]);
    }
  });

  test('needs a signed-in user, except for signing in', async () => {
    for (const operation of Object.values({ ...ROUTES, open: [] }).flat()) {
      expect(await statusOf(service.anonymous, operation, granted)).toEqual({
        operation,
        status: 401,
        code: 'unauthenticated',
      });
    }
  });

  test('hides from members and viewers each cellar that was not granted, as if it did not exist', async () => {
    const missing = await service.admin.call(...addressOf('GET /api/v1/cellars/{cellar}', 'no-such-cellar'));
    for (const operation of [...ROUTES.granted, ...ROUTES.changes]) {
      for (const { client } of [member, viewer]) {
        const hidden = await client.call(...addressOf(operation, foreign));
        expect([operation, hidden.status, hidden.body]).toEqual([operation, 404, missing.body]);
      }
    }
    for (const name of [granted.toUpperCase(), `${granted}%20`, `${granted}%00`, '%2e%2e']) {
      const answer = await member.client.call('GET', `/api/v1/cellars/${name}`);
      expect(answer, name).toMatchObject({ status: 404 });
    }
  });

  test('of owners rejects members and viewers, whatever the cellar', async () => {
    for (const operation of ROUTES.forbidden) {
      for (const cellar of [granted, foreign, 'no-such-cellar']) {
        for (const { client } of [member, viewer]) {
          expect(await statusOf(client, operation, cellar)).toEqual({
            operation,
            status: 403,
            code: 'forbidden',
          });
        }
      }
    }
  });

  test('of a granted cellar lets a viewer read, and change nothing', async () => {
    const { id } = await makeKey(service, granted);
    const created = await service.admin.call<{ secret: string }>('POST', '/api/v1/tokens', {
      name: 'dashboards on a wall',
      role: 'viewer',
      cellars: [granted],
    });
    const withToken = (method: string, path: string) =>
      service.anonymous.call(method, path, undefined, { authorization: `Bearer ${created.body.secret}` });
    const withSession = (method: string, path: string) => viewer.client.call(method, path);
    for (const call of [withSession, withToken]) {
      for (const operation of [...ROUTES.granted, ...ROUTES.changes]) {
        const [method, path] = addressOf(operation, granted);
        const { status } = await call(method, path.replace(SOME_ID, id));
        expect([operation, status]).toEqual([operation, method === 'GET' ? 200 : 403]);
      }
    }
    expect(await service.admin.call('GET', `/api/v1/cellars/${granted}/keys/${id}`)).toMatchObject({
      body: { state: 'active' },
    });
  });

  test('of a granted cellar lets a member do all with its keys', async () => {
    const path = `/api/v1/cellars/${granted}/keys`;
    const made = await member.client.call<{ key: { id: string } }>('POST', path, { name: 'by a member' });
    expect(made).toMatchObject({ status: 201, body: { key: { createdBy: member.email } } });
    const key = `${path}/${made.body.key.id}`;
    expect(await member.client.call('GET', key)).toMatchObject({ status: 200 });
    expect(await member.client.call('PATCH', key, { name: 'renamed' })).toMatchObject({ status: 200 });
    expect(await member.client.call('POST', `${key}/rotate`, { overlapSeconds: 60 })).toMatchObject({
      status: 201,
    });
    expect(await member.client.call('POST', `${key}/revoke`)).toMatchObject({ status: 200 });
    expect(await member.client.call('GET', path)).toMatchObject({ status: 200 });
    const audit = await member.client.call<{ entries: { actor: string; action: string }[] }>(
      'GET',
      `/api/v1/cellars/${granted}/audit`,
    );
    const theirs = audit.body.entries.filter(({ actor }) => actor === member.email);
    expect(theirs.map(({ action }) => action)).toEqual([
      'key.revoked',
      'key.rotated',
      'key.changed',
      'key.created',
    ]);
  });

  test('takes no key of another cellar under the name of the granted one', async () => {
    const { id } = await makeKey(service, foreign);
    const key = `/api/v1/cellars/${granted}/keys/${id}`;
    expect(await member.client.call('GET', key)).toMatchObject({ status: 404 });
    expect(await member.client.call('POST', `${key}/revoke`)).toMatchObject({ status: 404 });
  });

  test('that lists cellars shows a member the granted ones', async () => {
    const { body } = await member.client.call<{ cellars: { name: string }[] }>('GET', '/api/v1/cellars');
    expect(body.cellars.map(({ name }) => name)).toEqual([granted]);
    const nobodys = await join(service, { role: 'member' });
    expect(await nobodys.client.call('GET', '/api/v1/cellars')).toMatchObject({ body: { cellars: [] } });
  });

  test('lets a second owner do everything', async () => {
    const owner = await join(service, { role: 'owner' });
    for (const operation of ROUTES.forbidden) {
      const { status } = await statusOf(owner.client, operation, foreign);
      expect([operation, status]).not.toEqual([operation, 403]);
    }
    expect(await owner.client.call('GET', `/api/v1/cellars/${foreign}`)).toMatchObject({ status: 200 });
  });
});
