import type { Key } from '../api/resources.ts';
import { Status } from '../display/status.tsx';

const STATES = {
  active: { kind: 'ok', text: 'Active' },
  expired: { kind: 'warn', text: 'Expired' },
  revoked: { kind: 'idle', text: 'Revoked' },
} as const;

export function KeyState({ state }: Pick<Key, 'state'>) {
  const { kind, text } = STATES[state];
  return <Status kind={kind}>{text}</Status>;
}
