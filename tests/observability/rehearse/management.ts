import type { RunFile } from '@cellarman/local-stack';

/** Calls key-service as the owner of the local stack. */
export type AskManagement = <Body>(method: string, path: string, body?: unknown) => Promise<Body>;

export async function askManagement({ keyServiceUrl, admin }: RunFile): Promise<AskManagement> {
  const signedIn = await fetch(`${keyServiceUrl}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return async <Body>(method: string, path: string, body?: unknown) => {
    const answer = await fetch(keyServiceUrl + path, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
}
