import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A signing secret in the format of https://www.standardwebhooks.com, for which there are libraries in most languages. */
export function createWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/** Returns the headers with which receivers verify who sent a body, when, and whether they have it already. */
export function signWebhook(message: { secret: string; id: string; at: Date; body: string }) {
  const { secret, id, at, body } = message;
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signature = createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
