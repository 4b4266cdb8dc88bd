import { describeContent } from '../describe-content.ts';
import type { WaitingNotification } from '../outbox.ts';
import type { Send } from '../start-delivery.ts';
import type { AddressPolicy } from './address-policy.ts';
import { postWebhook } from './post-webhook.ts';
import { resolveTarget } from './resolve-target.ts';
import { signWebhook } from './sign-webhook.ts';

/** Sends a notification as JSON, signed. */
export function createSendWebhook(policy: AddressPolicy): Send {
  return async (notification) => {
    const { url, secret, id } = notification;
    if (url === null || secret === null) throw new Error('a webhook has no URL');
    const target = new URL(url);
    const body = writeBody(notification);
    await postWebhook({
      url: target,
      addresses: await resolveTarget(target, policy),
      headers: signWebhook({ secret, id, at: new Date(), body }),
      body,
    });
  };
}

/** The same in every attempt. `text` is what chats show. */
function writeBody({ id, content, createdAt }: WaitingNotification): string {
  const { type, ...data } = content;
  const { title, lines } = describeContent(content);
  return JSON.stringify({
    id,
    type,
    timestamp: createdAt.toISOString(),
    text: [title, ...lines].join('\n'),
    data,
  });
}
