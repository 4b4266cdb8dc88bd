import { Type } from '@sinclair/typebox';
import type { Access } from './access.ts';

/** A person with an account. */
export interface User extends Access {
  id: string;
  email: string;
}

/** A user whose password was just checked or set. When a session is opened, it must still be the same password. */
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
