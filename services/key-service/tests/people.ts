import { expect } from 'vitest';
import { createApiClient } from './api-client.ts';
import type { ApiClient } from './api-client.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

export const PASSWORD = 'three barrels of oak';

let people = 0;
export const newEmail = (): string => `person-${(people += 1)}@example.com`;

export interface Person {
  id: string;
  email: string;
  client: ApiClient;
}

/** Invites a user. @returns the token of the link */
export async function inviteTo(service: ServiceUnderTest, fields: object): Promise<string> {
  const answer = await service.admin.call<{ token: string }>('POST', '/api/v1/invitations', fields);
  expect(answer.status).toBe(201);
  return answer.body.token;
}

/** Creates a user who is signed in. */
export async function join(service: ServiceUnderTest, access: object): Promise<Person> {
  const email = newEmail();
  const token = await inviteTo(service, { email, ...access });
  const client = await createApiClient(service.url);
  const accepted = await client.call<{ user: { id: string } }>('POST', '/api/v1/join', {
    token,
    password: PASSWORD,
  });
  expect(accepted.status).toBe(201);
  client.keepSession(accepted);
  return { id: accepted.body.user.id, email, client };
}
