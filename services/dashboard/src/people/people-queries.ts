import { keepPreviousData } from '@tanstack/react-query';
import { apiQuery } from '../api/api.ts';
import { present } from '../display/read-search.ts';

const OPTIONS = { placeholderData: keepPreviousData };

/** All users, by email address. */
export function peopleQuery(cursor: string | undefined) {
  return apiQuery('people', '/api/v1/users', { query: present({ cursor }) }, OPTIONS);
}

/** Invitations that have not been accepted yet. */
export function invitationsQuery(cursor: string | undefined) {
  return apiQuery('invitations', '/api/v1/invitations', { query: present({ cursor }) }, OPTIONS);
}
