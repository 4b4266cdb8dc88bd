import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from './session-query.ts';

/** Returns whether the user can create, change and revoke keys; a viewer can only see them. */
export function useMayChangeKeys(): boolean {
  const { data } = useQuery(sessionQuery);
  return data !== undefined && data.user.role !== 'viewer';
}
