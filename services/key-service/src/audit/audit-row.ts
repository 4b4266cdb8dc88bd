import { toInstant } from '../http/instant.ts';
import type { AuditView } from './audit-schema.ts';

export interface AuditRow {
  id: string;
  at: Date;
  actor: string;
  actor_type: AuditView['actorType'];
  address: string | null;
  action: string;
  cellar: string | null;
  key_id: string | null;
  details: Record<string, unknown>;
}

export const AUDIT_COLUMNS = `
  id, at, actor,
  CASE WHEN token_id IS NOT NULL THEN 'token' WHEN actor_id IS NOT NULL THEN 'user' ELSE 'service' END
    AS actor_type,
  address, action, cellar, key_id, details`;

export function toAuditView(row: AuditRow): AuditView {
  return {
    id: row.id,
    at: toInstant(row.at),
    actor: row.actor,
    actorType: row.actor_type,
    address: row.address,
    action: row.action,
    cellar: row.cellar,
    keyId: row.key_id,
    details: row.details,
  };
}
