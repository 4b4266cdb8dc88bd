import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from './session-query.ts';

/** Whether the person may do everything; a member may look, and work with the keys of some cellars. */
export function useOwner(): boolean {
  const { data } = useQuery(sessionQuery);
  return data?.administrator.role === 'owner';
}
