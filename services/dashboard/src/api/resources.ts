import type { paths } from './generated/key-service.ts';

/* The resources of the management API, by their names in the UI. */

type ResponseBody<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type Cellar = ResponseBody<'/api/v1/cellars/{cellar}', 'get'>;
export type Key = ResponseBody<'/api/v1/cellars/{cellar}/keys/{id}', 'get'>;
export type ClaimCode = ResponseBody<'/api/v1/cellars/{cellar}/claim-codes', 'get'>['claimCodes'][number];
export type PipelineStatus = ResponseBody<'/api/v1/pipeline/status', 'get'>;
export type PipelineHistory = ResponseBody<'/api/v1/pipeline/history', 'get'>;
export type Pipeline = ResponseBody<'/api/v1/pipeline', 'get'>;
type DeadLetters = ResponseBody<'/api/v1/dead-letters', 'get'>;
export type DeadLetter = DeadLetters['deadLetters'][number];
export type WholeDeadLetter = ResponseBody<'/api/v1/dead-letters/{id}', 'get'>;
export type Rejection = ResponseBody<'/api/v1/cellars/{cellar}/rejections', 'get'>['rejections'][number];
export type AuditEntry = ResponseBody<'/api/v1/cellars/{cellar}/audit', 'get'>['entries'][number];
export type KegSettings = ResponseBody<'/api/v1/cellars/{cellar}/kegs', 'get'>['kegs'][number];
export type Person = ResponseBody<'/api/v1/users', 'get'>['users'][number];
export type Invitation = ResponseBody<'/api/v1/invitations', 'get'>['invitations'][number];
export type OwnSession = ResponseBody<'/api/v1/sessions', 'get'>['sessions'][number];
export type ServiceToken = ResponseBody<'/api/v1/tokens', 'get'>['tokens'][number];
/** `cellars` is null for an owner, who has all of them. */
export type Access = Pick<Person, 'role' | 'cellars'>;
export type RateLimit = NonNullable<Key['rateLimit']>;
export type AlertRule = ResponseBody<'/api/v1/cellars/{cellar}/alert-rules', 'get'>['rules'][number];
export type AlertCondition = AlertRule['condition'];
export type AlertDestination = ResponseBody<
  '/api/v1/cellars/{cellar}/alert-destinations',
  'get'
>['destinations'][number];
export type Alert = ResponseBody<'/api/v1/cellars/{cellar}/alerts', 'get'>['alerts'][number];
