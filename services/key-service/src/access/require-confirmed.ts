import type { FastifyRequest } from 'fastify';
import { ApiError } from '@cellarman/http-api';
import { sessionOf } from './requester.ts';

/**
 * For what outlives the session: a session that was left open or stolen must not be enough.
 *
 * @throws {ApiError} `password_required` unless the password was entered in this session within the last minutes
 */
export function requireConfirmed(request: FastifyRequest): void {
  if (sessionOf(request).isConfirmed) return;
  throw new ApiError('password_required', 'Confirm your password, then retry');
}
