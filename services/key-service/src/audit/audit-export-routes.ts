import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { auditFilterQuery } from './audit-filter.ts';
import type { AuditFilter } from './audit-filter.ts';
import type { AuditRepository } from './audit-repository.ts';

const tags = ['audit'];
const description =
  'CSV with a header, newest first, at most 100,000 entries. What a spreadsheet would take for a formula begins with an apostrophe.';
const querystring = Type.Object(auditFilterQuery, { additionalProperties: false });
const file = {
  description: 'id, at, actor, actorType, address, action, cellar, keyId, details',
  content: { 'text/csv': { schema: Type.String() } },
};

/** Who did what, as a file. */
export const auditExportRoutes: FastifyPluginAsyncTypebox<{ audit: AuditRepository }> = async (
  app,
  { audit },
) => {
  async function send(reply: FastifyReply, name: string, filter: AuditFilter) {
    const lines = await audit.export(filter);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}.csv"`)
      .send(lines);
  }

  app.get(
    '/api/v1/audit.csv',
    {
      config: { access: 'owner' },
      schema: {
        tags,
        summary: 'Export the audit log.',
        description,
        querystring,
        response: { 200: file },
      },
    },
    async (request, reply) => send(reply, 'audit', request.query),
  );

  app.get(
    '/api/v1/cellars/:cellar/audit.csv',
    {
      config: { access: 'cellar' },
      schema: {
        tags,
        summary: 'Export the audit log of a cellar and its keys.',
        description,
        params: Type.Object({ cellar: cellarSchema }),
        querystring,
        response: { 200: file },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      return send(reply, `audit-${cellar}`, { ...request.query, cellar });
    },
  );
};
