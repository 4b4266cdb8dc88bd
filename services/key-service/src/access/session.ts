import type { User } from './account.ts';

export interface Session {
  /** Names it in lists; the browser has a secret, not this. */
  id: string;
  user: User;
  /** Milliseconds since 1970. It ends then in any case. */
  endsAt: number;
  /** Whether the password was entered within the last minutes, to sign in or again. */
  isConfirmed: boolean;
}

/** Where a session comes from, as its owner recognises it. */
export interface Origin {
  /** The IP address. */
  address: string;
  userAgent: string | null;
}
