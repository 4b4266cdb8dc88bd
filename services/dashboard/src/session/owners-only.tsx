import type { ReactNode } from 'react';
import { EmptyState } from '../display/empty-state.tsx';
import { useOwner } from './use-owner.ts';

/** To a member, who may follow a link of an owner, it says so, and asks the service for nothing. */
export function OwnersOnly({ children }: { children: ReactNode }) {
  const isOwner = useOwner();
  if (isOwner) return children;
  return <EmptyState title="Only owners see this page">Ask one of them if you need it.</EmptyState>;
}
