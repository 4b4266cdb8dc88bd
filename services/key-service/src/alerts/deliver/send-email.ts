import { createTransport } from 'nodemailer';
import type { AlertConfig } from '../alert-variables.ts';
import { DeliveryError } from './delivery-error.ts';
import { describeContent } from './describe-content.ts';
import type { Send } from './start-delivery.ts';

/** Together shorter than the claim in the outbox. */
const TIMEOUT_MS = 8_000;

/** Sends a notification as plain text. The Message-ID is the same in every attempt, so that mailboxes show it once. */
export function createSendEmail({
  SMTP_URL: url,
  SMTP_FROM: from,
}: Pick<AlertConfig, 'SMTP_URL' | 'SMTP_FROM'>): Send {
  if (url === undefined || from === undefined) {
    return () =>
      Promise.reject(new DeliveryError('This installation has no mail server: SMTP_URL is not set'));
  }
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Nothing in a notification is a file or a URL to load.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return async ({ id, content, createdAt, recipients }) => {
    const { title, lines } = describeContent(content);
    await transport
      .sendMail({
        from: { name: 'Cellarman', address: from },
        to: recipients ?? [],
        subject: title,
        text: `${lines.join('\n')}\n\nNotification ${id}, ${createdAt.toISOString()}\n`,
        messageId: `<${id}@${domain}>`,
        date: createdAt,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      .catch((cause: unknown) => {
        throw new DeliveryError(describe(cause), { cause });
      });
  };
}

function describe(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (responseCode !== undefined) return `The mail server returned ${responseCode}`;
  return code === 'EAUTH' ? 'The mail server rejected the login' : 'The mail server cannot be reached';
}
