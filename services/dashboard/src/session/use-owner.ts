import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from './session-query.ts';

/** Returns whether the user is an owner; a member can only manage the keys of some cellars. */
export function useOwner(): boolean {
  const { data } = useQuery(sessionQuery);
  return data?.user.role === 'owner';
}
