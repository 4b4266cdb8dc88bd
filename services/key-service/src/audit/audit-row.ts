import { toView } from '../http/to-view.ts';
import { auditViewSchema } from './audit-schema.ts';
import type { AuditView } from './audit-schema.ts';

export const AUDIT_COLUMNS = `
  id, at, actor,
  CASE WHEN token_id IS NOT NULL THEN 'token' WHEN actor_id IS NOT NULL THEN 'user' ELSE 'service' END
    AS actor_type,
  address, action, cellar, key_id, details`;

export function toAuditView(row: object): AuditView {
  return toView(auditViewSchema, row);
}
