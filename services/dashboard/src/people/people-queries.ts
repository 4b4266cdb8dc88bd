import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import { present } from '../display/read-search.ts';

/** Everybody with an account, by address. */
export function peopleQuery(cursor: string | undefined) {
  return queryOptions({
    queryKey: ['people', cursor],
    queryFn: ({ signal }) =>
      answerOf(keyService.GET('/api/v1/administrators', { params: { query: present({ cursor }) }, signal })),
  });
}

/** Who has been invited and has not joined. */
export function invitationsQuery(cursor: string | undefined) {
  return queryOptions({
    queryKey: ['invitations', cursor],
    queryFn: ({ signal }) =>
      answerOf(keyService.GET('/api/v1/invitations', { params: { query: present({ cursor }) }, signal })),
  });
}
