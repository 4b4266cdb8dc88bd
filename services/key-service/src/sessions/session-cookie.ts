import type { FastifyReply, FastifyRequest } from 'fastify';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;

/**
 * The cookie that holds the secret of a session. Scripts in the page cannot read it, and other sites cannot make the
 * browser send it.
 *
 * It needs HTTPS everywhere but on this machine itself, and there too when it came by it. With `__Host-` the browser also takes it from no other host.
 */
export function createSessionCookie({ maxSeconds }: { maxSeconds: number }) {
  const isSecure = (request: FastifyRequest) =>
    request.protocol === 'https' || !LOOPBACK.test(request.hostname);
  const nameFor = (request: FastifyRequest) =>
    isSecure(request) ? '__Host-cellarman-session' : 'cellarman-session';
  const attributesFor = (request: FastifyRequest) => ({
    httpOnly: true,
    sameSite: 'strict' as const,
    secure: isSecure(request),
    path: '/',
  });

  return {
    read: (request: FastifyRequest): string | undefined => request.cookies[nameFor(request)],
    write(request: FastifyRequest, reply: FastifyReply, secret: string) {
      reply.setCookie(nameFor(request), secret, { ...attributesFor(request), maxAge: maxSeconds });
    },
    clear(request: FastifyRequest, reply: FastifyReply) {
      reply.clearCookie(nameFor(request), attributesFor(request));
    },
  };
}

export type SessionCookie = ReturnType<typeof createSessionCookie>;
