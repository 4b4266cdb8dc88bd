import type { FastifyRequest } from 'fastify';
import type { Access } from './access.ts';
import type { Actor } from '../changes/record-changes.ts';
import type { Session } from './session.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route behind `authenticate`. */
    requester: Requester | null;
  }
}

/** The user or service token behind a request, and its permissions. */
export interface Requester extends Access {
  /** For the audit. */
  actor: Actor;
  /** null: no person, but a service token. */
  session: Session | null;
}

export function requesterOf(request: FastifyRequest): Requester {
  if (request.requester === null) throw new Error('this route is not behind authenticate');
  return request.requester;
}

export function sessionOf(request: FastifyRequest): Session {
  const { session } = requesterOf(request);
  if (session === null) throw new Error('this route is not limited to sessions');
  return session;
}

export function actorOf(request: FastifyRequest): Actor {
  return requesterOf(request).actor;
}
