import { Type } from '@sinclair/typebox';
import type { FastifyPluginCallback } from 'fastify';
import type { Readiness } from './readiness.ts';

export interface HealthRoutesOptions {
  readiness: Readiness;
  /** The Prometheus text, `metricsText` of `@cellarman/telemetry`. */
  metricsText: () => Promise<string>;
}

const tags = ['operations'];

const alive = Type.Object({ status: Type.Literal('alive') });

const report = Type.Object({
  ready: Type.Boolean(),
  parts: Type.Record(
    Type.String(),
    Type.Object({ ready: Type.Boolean(), reason: Type.Optional(Type.String()) }),
  ),
});

/** `/livez`, `/readyz` and `/metrics`. They need no key: keep their port inside the network. */
export const healthRoutes: FastifyPluginCallback<HealthRoutesOptions> = (app, options, done) => {
  const { readiness, metricsText } = options;

  app.addHook('onRequest', (_request, reply, next) => {
    reply.header('x-content-type-options', 'nosniff');
    next();
  });

  app.get(
    '/livez',
    {
      logLevel: 'silent',
      schema: { tags, summary: 'The process answers.', response: { 200: alive } },
    },
    () => ({ status: 'alive' }),
  );

  app.get(
    '/readyz',
    {
      logLevel: 'silent',
      schema: {
        tags,
        summary: 'Whether the process can take traffic, and which part keeps it from that.',
        response: { 200: report, 503: report },
      },
    },
    (_request, reply) => {
      const current = readiness.report();
      return reply.code(current.ready ? 200 : 503).send(current);
    },
  );

  app.get(
    '/metrics',
    {
      logLevel: 'silent',
      schema: {
        tags,
        summary: 'Metrics as Prometheus text.',
        produces: ['text/plain'],
        response: { 200: Type.String() },
      },
    },
    async (_request, reply) => {
      reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8');
      return metricsText();
    },
  );

  done();
};
