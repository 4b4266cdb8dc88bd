import { Type } from '@sinclair/typebox';
import type { TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import type { Readiness } from './readiness.ts';

export interface HealthRoutesOptions {
  readiness: Readiness;
  /** What Prometheus reads, `metricsText` of `@cellarman/telemetry`. */
  metricsText: (format: 'text' | 'openmetrics') => Promise<string>;
}

const tags = ['operations'];

const METRICS_TYPES = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

const alive = Type.Object({ status: Type.Literal('alive') });

const isReady = Type.Object({ ready: Type.Boolean() });

const report = Type.Object(
  {
    ready: Type.Boolean(),
    parts: Type.Record(
      Type.String(),
      Type.Object({ ready: Type.Boolean(), reason: Type.Optional(Type.String()) }),
    ),
  },
  { title: 'Readiness' },
);

/** `/livez`, `/readyz` and `/metrics`. They need no key: keep their port inside the network. */
export const healthRoutes: FastifyPluginCallback<HealthRoutesOptions> = (app, options, done) => {
  const { readiness, metricsText } = options;
  addProbes(app, 'Readiness, with the state of each dependency.', report, () => readiness.report());

  app.get(
    '/metrics',
    {
      logLevel: 'silent',
      schema: {
        tags,
        summary: 'Metrics in the Prometheus text format, or in OpenMetrics with exemplars, by `Accept`.',
        produces: ['text/plain', 'application/openmetrics-text'],
        response: { 200: Type.String() },
      },
    },
    async (request, reply) => {
      // Prometheus names it, and prefers it; people and older scrapers do not.
      const takesOpenMetrics = request.headers.accept?.includes('application/openmetrics-text') === true;
      const format = takesOpenMetrics ? 'openmetrics' : 'text';
      reply.header('content-type', METRICS_TYPES[format]);
      return metricsText(format);
    },
  );

  done();
};

/**
 * `/livez` and `/readyz` for load balancers, on a port that clients reach: `/readyz` names no part and gives no reason, which
 * would reveal to strangers what the service depends on and what fails.
 */
export const probeRoutes: FastifyPluginCallback<Pick<HealthRoutesOptions, 'readiness'>> = (
  app,
  { readiness },
  done,
) => {
  addProbes(app, 'Readiness: the process can take traffic.', isReady, () => ({ ready: readiness.isReady() }));
  done();
};

function addProbes(
  app: FastifyInstance,
  summary: string,
  schema: TSchema,
  report: () => { ready: boolean },
): void {
  app.addHook('onRequest', (_request, reply, next) => {
    reply.header('x-content-type-options', 'nosniff');
    next();
  });
  app.get(
    '/livez',
    {
      logLevel: 'silent',
      schema: { tags, summary: 'Liveness: the process responds.', response: { 200: alive } },
    },
    () => ({ status: 'alive' }),
  );
  app.get(
    '/readyz',
    { logLevel: 'silent', schema: { tags, summary, response: { 200: schema, 503: schema } } },
    (_request, reply) => {
      const current = report();
      return reply.code(current.ready ? 200 : 503).send(current);
    },
  );
}
