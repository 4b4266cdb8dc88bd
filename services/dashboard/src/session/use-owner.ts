import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from './session-query.ts';

/** Returns whether the user is an owner; the other roles have some cellars only. */
export function useOwner(): boolean {
  const { data } = useQuery(sessionQuery);
  return data?.user.role === 'owner';
}
