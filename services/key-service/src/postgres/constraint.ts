import { DatabaseError } from 'pg';

const UNIQUE_VIOLATION = '23505';

/** Whether an insert met a row that is already there, by the name of the constraint. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint;
}
