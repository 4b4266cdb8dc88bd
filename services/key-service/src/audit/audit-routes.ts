import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { nextCursorSchema, pageQuery } from '@cellarman/http-api';
import { auditFilterQuery } from './audit-filter.ts';
import type { AuditRepository } from './audit-repository.ts';
import { auditViewSchema } from './audit-schema.ts';

const tags = ['audit'];
const querystring = Type.Object({ ...auditFilterQuery, ...pageQuery() }, { additionalProperties: false });
const page = Type.Object({ entries: Type.Array(auditViewSchema), nextCursor: nextCursorSchema });

/** Who did what, newest first. */
export const auditRoutes: FastifyPluginAsyncTypebox<{ audit: AuditRepository }> = async (app, { audit }) => {
  app.get(
    '/api/v1/audit',
    {
      config: { access: 'owner' },
      schema: {
        tags,
        summary: 'List the audit log.',
        querystring,
        response: { 200: page },
      },
    },
    async (request) => audit.list(request.query),
  );

  app.get(
    '/api/v1/cellars/:cellar/audit',
    {
      config: { access: 'cellar' },
      schema: {
        tags,
        summary: 'List the audit log of a cellar and its keys.',
        params: Type.Object({ cellar: cellarSchema }),
        querystring,
        response: { 200: page },
      },
    },
    async (request) => audit.list({ ...request.query, cellar: request.params.cellar }),
  );
};
