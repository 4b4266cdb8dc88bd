import { Type } from '@sinclair/typebox';
import type { Access } from './access.ts';

/** Somebody with an account. */
export interface User extends Access {
  id: string;
  email: string;
}

/** Somebody whose password has been checked, or has just been set: it must still be the same when a session opens. */
export interface Known {
  id: string;
  email: string;
  passwordHash: string;
}

export const emailSchema = Type.String({
  maxLength: 254,
  pattern: '^[^@\\s\\u0000-\\u001F\\u007F]+@[^@\\s\\u0000-\\u001F\\u007F]+$',
  description: 'In upper or lower case.',
  examples: ['mara@example.com'],
});
