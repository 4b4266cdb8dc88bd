import { integer, secret } from '@cellarman/config';
import { Type } from '@sinclair/typebox';
import type { Static, TObject } from '@sinclair/typebox';
import { parseNetwork } from './deliver/webhook/address-policy.ts';

/** Variables of alert rules and their notifications. */
export const alertVariables = {
  ALERTS_TOKEN: Type.Optional(
    secret({
      minLength: 16,
      description:
        'The token for observations of the query service, the same as its ALERTS_TOKEN. Without it, or without QUERY_URL, alert rules about readings are not evaluated.',
    }),
  ),
  ALERTS_INTERVAL_SECONDS: integer({
    minimum: 1,
    maximum: 3_600,
    default: 30,
    description: 'Interval for evaluating each alert rule, in seconds.',
  }),
  WEBHOOK_ALLOWED_NETWORKS: Type.Array(Type.String({ minLength: 1 }), {
    separator: ',',
    default: [],
    description:
      'IP addresses or networks besides the public internet that webhooks of alerts may connect to, separated by commas, such as `10.20.0.0/16`. By default, webhooks cannot connect to private networks, the loopback interface and metadata services of clouds.',
  }),
  SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://[^\\s/]+',
      secret: true,
      description:
        'The mail server for notifications about alerts, `smtps://user:password@host:465`, or `smtp://…` with STARTTLS if the server offers it. Without it there is no email.',
    }),
  ),
  SMTP_FROM: Type.Optional(
    Type.String({
      pattern: '^[^@\\s]+@[^@\\s]+$',
      maxLength: 254,
      description: 'The email address that sends these emails. Required with SMTP_URL.',
    }),
  ),
};

export type AlertConfig = Static<TObject<typeof alertVariables>> & { QUERY_URL?: string | undefined };

/** What is wrong with the variables together, a sentence each. */
export function alertConflicts(config: AlertConfig): string[] {
  const { SMTP_URL, SMTP_FROM, WEBHOOK_ALLOWED_NETWORKS: networks } = config;
  return [
    ...((SMTP_URL === undefined) === (SMTP_FROM === undefined)
      ? []
      : ['SMTP_URL and SMTP_FROM must be set together']),
    ...networks
      .filter((network) => !isNetwork(network))
      .map(
        (network) => `WEBHOOK_ALLOWED_NETWORKS has ${network}, which is neither an IP address nor a network`,
      ),
  ];
}

function isNetwork(text: string): boolean {
  try {
    parseNetwork(text);
    return true;
  } catch {
    return false;
  }
}
