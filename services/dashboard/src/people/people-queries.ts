import { queryOptions } from '@tanstack/react-query';
import { responseData } from '../api/response-data.ts';
import { keyService } from '../api/key-service.ts';
import { present } from '../display/read-search.ts';

/** All users, by email address. */
export function peopleQuery(cursor: string | undefined) {
  return queryOptions({
    queryKey: ['people', cursor],
    queryFn: ({ signal }) =>
      responseData(keyService.GET('/api/v1/users', { params: { query: present({ cursor }) }, signal })),
  });
}

/** Invitations that have not been accepted yet. */
export function invitationsQuery(cursor: string | undefined) {
  return queryOptions({
    queryKey: ['invitations', cursor],
    queryFn: ({ signal }) =>
      responseData(keyService.GET('/api/v1/invitations', { params: { query: present({ cursor }) }, signal })),
  });
}
