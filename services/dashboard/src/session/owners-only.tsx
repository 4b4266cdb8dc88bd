import type { ReactNode } from 'react';
import { EmptyState } from '../display/empty-state.tsx';
import { useOwner } from './use-owner.ts';

/** Others see an explanation instead of the page, and send no request. */
export function OwnersOnly({ children }: { children: ReactNode }) {
  const isOwner = useOwner();
  if (isOwner) return children;
  return <EmptyState title="Only owners can see this page">Contact an owner if you need access.</EmptyState>;
}
