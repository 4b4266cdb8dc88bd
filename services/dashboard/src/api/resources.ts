import type { paths } from './generated/key-service.ts';

/* What the management API shows, by the names that a person uses. */

type Answer<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type Cellar = Answer<'/api/v1/cellars/{cellar}', 'get'>;
export type Key = Answer<'/api/v1/cellars/{cellar}/keys/{id}', 'get'>;
export type Refusal = Answer<'/api/v1/cellars/{cellar}/refusals', 'get'>['refusals'][number];
export type AuditEntry = Answer<'/api/v1/cellars/{cellar}/audit', 'get'>['entries'][number];
export type Person = Answer<'/api/v1/administrators', 'get'>['administrators'][number];
export type Invitation = Answer<'/api/v1/invitations', 'get'>['invitations'][number];
export type OwnSession = Answer<'/api/v1/sessions', 'get'>['sessions'][number];
export type ServiceToken = Answer<'/api/v1/tokens', 'get'>['tokens'][number];
/** What somebody may do: everything, or something in some cellars. */
export type Access = Pick<Person, 'role' | 'cellars'>;
export type RateLimit = NonNullable<Key['rateLimit']>;
