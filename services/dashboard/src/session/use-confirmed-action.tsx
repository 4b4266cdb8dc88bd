import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { useAction } from '../api/use-action.ts';
import type { Action } from '../api/use-action.ts';
import { CurrentPassword } from './password-fields.tsx';

/**
 * An action that may require the password. If the service responds with `password_required`, the field appears, and the
 * next run confirms the password first.
 */
export function useConfirmedAction(work: () => Promise<void>): Action<[]> & { passwordField: ReactNode } {
  const [isNeeded, setNeeded] = useState(false);
  const [password, setPassword] = useState('');
  const action = useAction(async () => {
    if (isNeeded) {
      await api.post('/api/v1/session/confirm', { body: { password } });
      setNeeded(false);
      setPassword('');
    }
    await work().catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'password_required') setNeeded(true);
      throw error;
    });
  });
  const passwordField = isNeeded && (
    <CurrentPassword label="Your password" value={password} onChange={setPassword} />
  );
  return { ...action, passwordField };
}
