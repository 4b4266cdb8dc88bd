import type { ExistingPeople } from './fuzz-api.ts';

const PASSWORD = 'made for the fuzz alone';
/** Each of them is used up by one request that succeeds; some more, in case one does not. */
const EACH = 4;

/** Makes the people, invitations and service tokens that valid requests name. */
export async function preparePeople(url: string, ownerCookie: string): Promise<ExistingPeople> {
  const numbers = Array.from({ length: EACH }, (_, i) => i);
  const members: string[] = [];
  const changers: ExistingPeople['changers'] = [];
  for (const i of numbers) members.push((await join(`member-${i}@example.com`)).id);
  for (const i of numbers) {
    const { cookie } = await join(`changer-${i}@example.com`);
    changers.push({ cookie, password: PASSWORD });
  }
  const invitations: string[] = [];
  const tokens: string[] = [];
  for (const i of numbers) invitations.push((await invite(`withdrawn-${i}@example.com`)).invitation.id);
  for (const i of numbers) tokens.push((await invite(`invited-${i}@example.com`)).token);
  const serviceTokens: string[] = [];
  for (let i = 0; i < EACH; i++) {
    const { token } = await call<{ token: { id: string } }>('POST', '/api/v1/tokens', {
      name: 'fuzz',
      role: 'owner',
    });
    serviceTokens.push(token.id);
  }
  return { members, changers, leaver: await leaver(), invitations, tokens, serviceTokens };

  async function leaver(): Promise<ExistingPeople['leaver']> {
    const email = 'leaver@example.com';
    const { cookie } = await join(email);
    for (let i = 0; i < EACH; i++) await send('POST', '/api/v1/session', { email, password: PASSWORD });
    const answer = await send('GET', '/api/v1/sessions', undefined, cookie);
    const { sessions } = (await answer.json()) as { sessions: { id: string; isCurrent: boolean }[] };
    return { cookie, sessions: sessions.filter(({ isCurrent }) => !isCurrent).map(({ id }) => id) };
  }

  async function join(email: string): Promise<{ id: string; cookie: string }> {
    const { token } = await invite(email);
    const answer = await send('POST', '/api/v1/join', { token, password: PASSWORD });
    const { user } = (await answer.json()) as { user: { id: string } };
    const [cookie = ''] = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    return { id: user.id, cookie };
  }

  function invite(email: string): Promise<{ invitation: { id: string }; token: string }> {
    return call('POST', '/api/v1/invitations', { email, role: 'member' });
  }

  async function call<Body>(method: string, path: string, body: object): Promise<Body> {
    return (await send(method, path, body, ownerCookie)).json() as Promise<Body>;
  }

  async function send(method: string, path: string, body?: object, cookie?: string): Promise<Response> {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie === undefined ? {} : { cookie }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }
}
