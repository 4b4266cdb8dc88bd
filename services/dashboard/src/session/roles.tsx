import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EmptyState } from '../display/blocks.tsx';
import { sessionQuery } from './session-query.ts';

/** Returns whether the user is an owner; the other roles have some cellars only. */
export function useOwner(): boolean {
  const { data } = useQuery(sessionQuery);
  return data?.user.role === 'owner';
}

/** Returns whether the user can create, change and revoke keys; a viewer can only see them. */
export function useMayChangeKeys(): boolean {
  const { data } = useQuery(sessionQuery);
  return data !== undefined && data.user.role !== 'viewer';
}

/** Others see an explanation instead of the page, and send no request. */
export function OwnersOnly({ children }: { children: ReactNode }) {
  const isOwner = useOwner();
  if (isOwner) return children;
  return <EmptyState title="Only owners can see this page">Contact an owner if you need access.</EmptyState>;
}
