/* eslint-disable */
/* Generated from docs/openapi by: npx -y pnpm@12 generate */

export interface paths {
  '/api/v1/setup': {
    parameters: {};
    get: {
      parameters: {};
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': { isNeeded: boolean } } };
      };
    };
    post: {
      parameters: {};
      requestBody: { content: { 'application/json': { token: string; email: string; password: string } } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['Session'] };
        };
      };
    };
  };
  '/api/v1/session': {
    parameters: {};
    get: {
      parameters: {};
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['Session'] };
        };
      };
    };
    post: {
      parameters: {};
      requestBody: { content: { 'application/json': { email: string; password: string } } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['Session'] };
        };
      };
    };
    delete: { parameters: {}; responses: { 204: { headers: { [name: string]: unknown } } } };
  };
  '/api/v1/join/lookup': {
    parameters: {};
    post: {
      parameters: {};
      requestBody: { content: { 'application/json': { token: string } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              email: string;
              /** @enum {string} */ role: 'owner' | 'member' | 'viewer';
              cellars: string[] | null;
              expiresAt: string;
            };
          };
        };
      };
    };
  };
  '/api/v1/join': {
    parameters: {};
    post: {
      parameters: {};
      requestBody: { content: { 'application/json': { token: string; password: string } } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['Session'] };
        };
      };
    };
  };
  '/api/v1/claims': {
    parameters: {};
    post: {
      parameters: {};
      requestBody: {
        content: { 'application/json': { claimCode: string; rack: string; deviceSecret: string } };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['ClaimedKey'] };
        };
        201: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['ClaimedKey'] };
        };
      };
    };
  };
  '/api/v1/sessions': {
    parameters: {};
    get: {
      parameters: {
        query?: { limit?: components['parameters']['Limit']; cursor?: components['parameters']['Cursor'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              sessions: components['schemas']['OwnSession'][];
              nextCursor: string | null;
            };
          };
        };
      };
    };
    delete: {
      parameters: {};
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': { ended: number } } };
      };
    };
  };
  '/api/v1/sessions/{id}': {
    parameters: {};
    delete: {
      parameters: { path: { id: string } };
      responses: { 204: { headers: { [name: string]: unknown } } };
    };
  };
  '/api/v1/session/confirm': {
    parameters: {};
    post: {
      parameters: {};
      requestBody: { content: { 'application/json': { password: string } } };
      responses: { 204: { headers: { [name: string]: unknown } } };
    };
  };
  '/api/v1/session/password': {
    parameters: {};
    post: {
      parameters: {};
      requestBody: { content: { 'application/json': { currentPassword: string; newPassword: string } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['Session'] };
        };
      };
    };
  };
  '/api/v1/users': {
    parameters: {};
    get: {
      parameters: {
        query?: { limit?: components['parameters']['Limit']; cursor?: components['parameters']['Cursor'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': { users: components['schemas']['User'][]; nextCursor: string | null };
          };
        };
      };
    };
  };
  '/api/v1/users/{id}': {
    parameters: {};
    patch: {
      parameters: { path: { id: string } };
      requestBody: {
        content: {
          'application/json': {
            /** @enum {string} */ role?: 'owner' | 'member' | 'viewer';
            cellars?: string[];
            isDisabled?: boolean;
            revokeCreated?: boolean;
          };
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['User'] };
        };
      };
    };
  };
  '/api/v1/invitations': {
    parameters: {};
    get: {
      parameters: {
        query?: { limit?: components['parameters']['Limit']; cursor?: components['parameters']['Cursor'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              invitations: components['schemas']['Invitation'][];
              nextCursor: string | null;
            };
          };
        };
      };
    };
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': {
            email: string;
            /** @enum {string} */ role: 'owner' | 'member' | 'viewer';
            cellars?: string[];
          };
        };
      };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: { 'application/json': { invitation: components['schemas']['Invitation']; token: string } };
        };
      };
    };
  };
  '/api/v1/invitations/{id}': {
    parameters: {};
    delete: {
      parameters: { path: { id: string } };
      responses: { 204: { headers: { [name: string]: unknown } } };
    };
  };
  '/api/v1/tokens': {
    parameters: {};
    get: {
      parameters: {
        query?: { limit?: components['parameters']['Limit']; cursor?: components['parameters']['Cursor'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              tokens: components['schemas']['ServiceToken'][];
              nextCursor: string | null;
              maxDays: number | null;
            };
          };
        };
      };
    };
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': {
            name: string;
            /** @enum {string} */ role: 'owner' | 'member' | 'viewer';
            cellars?: string[];
            expiresAt?: string | null;
          };
        };
      };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: { 'application/json': { token: components['schemas']['ServiceToken']; secret: string } };
        };
      };
    };
  };
  '/api/v1/tokens/{id}/revoke': {
    parameters: {};
    post: {
      parameters: { path: { id: string } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['ServiceToken'] };
        };
      };
    };
  };
  '/api/v1/cellars': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          search?: string;
          archived?: boolean;
          limit?: components['parameters']['Limit'];
          cursor?: components['parameters']['Cursor'];
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': { cellars: components['schemas']['Cellar'][]; nextCursor: string | null };
          };
        };
      };
    };
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': {
            name: string;
            retentionDays?: number;
            rateLimit?: components['schemas']['RateLimit'] | null;
            lineProtocolKeg?: string;
          };
        };
      };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['Cellar'] };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}': {
    parameters: {};
    get: {
      parameters: { path: { cellar: components['parameters']['Cellar'] } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['Cellar'] };
        };
      };
    };
    patch: {
      parameters: { path: { cellar: components['parameters']['Cellar'] } };
      requestBody: {
        content: {
          'application/json': {
            retentionDays?: number;
            rateLimit?: components['schemas']['RateLimit'] | null;
            lineProtocolKeg?: string;
          };
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['Cellar'] };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/archive': {
    parameters: {};
    post: {
      parameters: { path: { cellar: components['parameters']['Cellar'] } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['Cellar'] };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/kegs': {
    parameters: {};
    get: {
      parameters: { path: { cellar: components['parameters']['Cellar'] } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': { kegs: components['schemas']['KegSettings'][] } };
        };
      };
    };
    put: {
      parameters: {
        query: { keg: components['parameters']['Keg'] };
        path: { cellar: components['parameters']['Cellar'] };
      };
      requestBody: {
        content: {
          'application/json': {
            unit?: string | null;
            decimals?: number | null;
            description?: string | null;
            goodRange?: { min?: number | null; max?: number | null };
          };
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['KegSettings'] };
        };
      };
    };
    delete: {
      parameters: {
        query: { keg: components['parameters']['Keg'] };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: { 204: { headers: { [name: string]: unknown } } };
    };
  };
  '/api/v1/cellars/{cellar}/keys': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          state?: 'active' | 'expired' | 'revoked';
          search?: string;
          sort?: 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'name';
          order?: 'asc' | 'desc';
          limit?: components['parameters']['Limit'];
          cursor?: components['parameters']['Cursor'];
        };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': { keys: components['schemas']['Key'][]; nextCursor: string | null };
          };
        };
      };
    };
    post: {
      parameters: {
        header?: { 'idempotency-key'?: string };
        path: { cellar: components['parameters']['Cellar'] };
      };
      requestBody: {
        content: {
          'application/json': {
            name: string;
            expiresAt?: string | null;
            rack?: string | null;
            rackPrefix?: string | null;
            /** * @default [ *       "ingest" *     ] */ scopes?: ('ingest' | 'read')[];
            rateLimit?: components['schemas']['RateLimit'] | null;
          };
        };
      };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: { 'application/json': { key: components['schemas']['Key']; secret: string } };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/keys/{id}': {
    parameters: {};
    get: {
      parameters: {
        path: { cellar: components['parameters']['Cellar']; id: components['parameters']['KeyId'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['Key'] };
        };
      };
    };
    patch: {
      parameters: {
        path: { cellar: components['parameters']['Cellar']; id: components['parameters']['KeyId'] };
      };
      requestBody: {
        content: {
          'application/json': {
            name?: string;
            expiresAt?: string | null;
            rateLimit?: components['schemas']['RateLimit'] | null;
          };
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['Key'] };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/keys/{id}/revoke': {
    parameters: {};
    post: {
      parameters: {
        path: { cellar: components['parameters']['Cellar']; id: components['parameters']['KeyId'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['Key'] };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/keys/{id}/rotate': {
    parameters: {};
    post: {
      parameters: {
        path: { cellar: components['parameters']['Cellar']; id: components['parameters']['KeyId'] };
      };
      requestBody: { content: { 'application/json': { overlapSeconds: number; expiresAt?: string | null } } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              key: components['schemas']['Key'];
              secret: string;
              replaced: components['schemas']['Key'];
            };
          };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/claim-codes': {
    parameters: {};
    get: {
      parameters: {
        query?: { limit?: components['parameters']['Limit']; cursor?: components['parameters']['Cursor'] };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              claimCodes: components['schemas']['ClaimCode'][];
              nextCursor: string | null;
            };
          };
        };
      };
    };
    post: {
      parameters: { path: { cellar: components['parameters']['Cellar'] } };
      requestBody: {
        content: {
          'application/json': {
            name: string;
            rackPrefix?: string | null;
            forGateways?: boolean;
            maxKeys: number;
            rateLimit?: components['schemas']['RateLimit'] | null;
            expiresAt: string;
          };
        };
      };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: { 'application/json': { claimCode: components['schemas']['ClaimCode']; secret: string } };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/claim-codes/{id}/revoke': {
    parameters: {};
    post: {
      parameters: { path: { cellar: components['parameters']['Cellar']; id: string } };
      requestBody: { content: { 'application/json': { /** @default false */ revokeKeys?: boolean } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': { claimCode: components['schemas']['ClaimCode']; revokedKeys: number };
          };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/key-batches': {
    parameters: {};
    post: {
      parameters: { path: { cellar: components['parameters']['Cellar'] } };
      requestBody: {
        content: {
          'application/json': {
            keys: {
              name: string;
              expiresAt?: string | null;
              rack?: string | null;
              rackPrefix?: string | null;
              /** * @default [ *       "ingest" *     ] */ scopes: ('ingest' | 'read')[];
              rateLimit?: components['schemas']['RateLimit'] | null;
              idempotencyKey: string;
            }[];
          };
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': { keys: { id: string; secret: string | null }[] } };
        };
      };
    };
  };
  '/api/v1/audit': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          action?: components['parameters']['Action'];
          actor?: components['parameters']['Actor'];
          from?: components['parameters']['From'];
          to?: components['parameters']['To'];
          limit?: components['parameters']['Limit'];
          cursor?: components['parameters']['Cursor'];
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': { entries: components['schemas']['AuditEntry'][]; nextCursor: string | null };
          };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/audit': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          action?: components['parameters']['Action'];
          actor?: components['parameters']['Actor'];
          from?: components['parameters']['From'];
          to?: components['parameters']['To'];
          limit?: components['parameters']['Limit'];
          cursor?: components['parameters']['Cursor'];
        };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': { entries: components['schemas']['AuditEntry'][]; nextCursor: string | null };
          };
        };
      };
    };
  };
  '/api/v1/audit.csv': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          action?: components['parameters']['Action'];
          actor?: components['parameters']['Actor'];
          from?: components['parameters']['From'];
          to?: components['parameters']['To'];
        };
      };
      responses: { 200: { headers: { [name: string]: unknown }; content: { 'text/csv': string } } };
    };
  };
  '/api/v1/cellars/{cellar}/audit.csv': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          action?: components['parameters']['Action'];
          actor?: components['parameters']['Actor'];
          from?: components['parameters']['From'];
          to?: components['parameters']['To'];
        };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: { 200: { headers: { [name: string]: unknown }; content: { 'text/csv': string } } };
    };
  };
  '/api/v1/cellars/{cellar}/rejections': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          hours?: components['parameters']['Hours'];
          key?: components['parameters']['Key'];
          limit?: number;
          rack?: string;
        };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': { rejections: components['schemas']['Rejection'][] } };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/rejections/minutes': {
    parameters: {};
    get: {
      parameters: {
        query?: { minutes?: number; limit?: number };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': { rejections: components['schemas']['RejectionMinute'][] } };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/rejections/counts': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          hours?: components['parameters']['Hours'];
          key?: components['parameters']['Key'];
          step?: components['parameters']['Step'];
        };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': { step: number; buckets: { at: string; code: string; rejected: number }[] };
          };
        };
      };
    };
  };
  '/api/v1/rejections/unauthenticated': {
    parameters: {};
    get: {
      parameters: {
        query?: { hours?: components['parameters']['Hours']; step?: components['parameters']['Step'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': { step: number; buckets: { at: string; missing: number; unknown: number }[] };
          };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/alert-rules': {
    parameters: {};
    get: {
      parameters: { path: { cellar: components['parameters']['Cellar'] } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': { rules: components['schemas']['AlertRule'][] } };
        };
      };
    };
    post: {
      parameters: { path: { cellar: components['parameters']['Cellar'] } };
      requestBody: {
        content: {
          'application/json': {
            name: string;
            condition:
              | components['schemas']['RackSilent']
              | components['schemas']['KegValue']
              | components['schemas']['RejectedShare']
              | components['schemas']['KeyExpires'];
            destinations: string[];
            /** @default true */ isEnabled?: boolean;
          };
        };
      };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['AlertRule'] };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/alert-rules/{id}': {
    parameters: {};
    put: {
      parameters: {
        path: { cellar: components['parameters']['Cellar']; id: components['parameters']['AlertRuleId'] };
      };
      requestBody: {
        content: {
          'application/json': {
            name: string;
            condition:
              | components['schemas']['RackSilent']
              | components['schemas']['KegValue']
              | components['schemas']['RejectedShare']
              | components['schemas']['KeyExpires'];
            destinations: string[];
            /** @default true */ isEnabled?: boolean;
          };
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['AlertRule'] };
        };
      };
    };
    delete: {
      parameters: {
        path: { cellar: components['parameters']['Cellar']; id: components['parameters']['AlertRuleId'] };
      };
      responses: { 204: { headers: { [name: string]: unknown } } };
    };
  };
  '/api/v1/cellars/{cellar}/alert-rules/{id}/mute': {
    parameters: {};
    post: {
      parameters: {
        path: { cellar: components['parameters']['Cellar']; id: components['parameters']['AlertRuleId'] };
      };
      requestBody: { content: { 'application/json': { seconds: number | null } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['AlertRule'] };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/alert-destinations': {
    parameters: {};
    get: {
      parameters: { path: { cellar: components['parameters']['Cellar'] } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              destinations: components['schemas']['AlertDestination'][];
              canEmail: boolean;
            };
          };
        };
      };
    };
    post: {
      parameters: { path: { cellar: components['parameters']['Cellar'] } };
      requestBody: {
        content: { 'application/json': components['schemas']['Webhook'] | components['schemas']['Email'] };
      };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              destination: components['schemas']['AlertDestination'];
              secret: string | null;
            };
          };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/alert-destinations/{id}': {
    parameters: {};
    delete: {
      parameters: {
        path: {
          cellar: components['parameters']['Cellar'];
          id: components['parameters']['AlertDestinationId'];
        };
      };
      responses: { 204: { headers: { [name: string]: unknown } } };
    };
    patch: {
      parameters: {
        path: {
          cellar: components['parameters']['Cellar'];
          id: components['parameters']['AlertDestinationId'];
        };
      };
      requestBody: {
        content: { 'application/json': { name?: string; url?: string; recipients?: string[] } };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['AlertDestination'] };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/alert-destinations/{id}/test': {
    parameters: {};
    post: {
      parameters: {
        path: {
          cellar: components['parameters']['Cellar'];
          id: components['parameters']['AlertDestinationId'];
        };
      };
      responses: { 204: { headers: { [name: string]: unknown } } };
    };
  };
  '/api/v1/cellars/{cellar}/alerts': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          state?: 'open' | 'fired';
          limit?: components['parameters']['Limit'];
          cursor?: components['parameters']['Cursor'];
        };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': { alerts: components['schemas']['Alert'][]; nextCursor: string | null };
          };
        };
      };
    };
  };
  '/api/v1/alerts/summary': {
    parameters: {};
    get: {
      parameters: {};
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': { firing: number; cellars: { cellar: string; firing: number }[] } };
        };
      };
    };
  };
  '/api/v1/ingest-url': {
    parameters: {};
    get: {
      parameters: {};
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': { ingestUrl: string | null } };
        };
      };
    };
  };
  '/api/v1/pipeline/status': {
    parameters: {};
    get: {
      parameters: {};
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['PipelineStatus'] };
        };
      };
    };
  };
  '/api/v1/pipeline': {
    parameters: {};
    get: {
      parameters: {};
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['Pipeline'] };
        };
      };
    };
  };
  '/api/v1/pipeline/history': {
    parameters: {};
    get: {
      parameters: { query?: { range?: 'hour' | 'day' | 'week' } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['PipelineHistory'] };
        };
      };
    };
  };
  '/api/v1/cellars/{cellar}/test-readings': {
    parameters: {};
    post: {
      parameters: { path: { cellar: components['parameters']['Cellar'] } };
      requestBody: {
        content: { 'application/json': { apiKey: string; rack: string; keg: string; value: number } };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              reading: { rack: string; keg: string; value: number; timestamp: string };
              status: number;
              code: string | null;
              error: string | null;
              retryAfterSeconds: number | null;
              receivedAt: string | null;
              stored: components['schemas']['IngestStored'] | null;
            };
          };
        };
      };
    };
  };
  '/api/v1/dead-letters': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          state?: 'open' | 'replaying' | 'replayed' | 'discarded';
          reason?: string;
          limit?: components['parameters']['Limit'];
          cursor?: components['parameters']['Cursor'];
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              deadLetters: components['schemas']['DeadLetter'][];
              nextCursor: string | null;
              counts: { open: number; replaying: number; replayed: number; discarded: number };
            };
          };
        };
      };
    };
  };
  '/api/v1/dead-letters/{id}': {
    parameters: {};
    get: {
      parameters: { path: { id: string } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': components['schemas']['WholeDeadLetter'] };
        };
      };
    };
  };
  '/api/v1/dead-letters/replay': {
    parameters: {};
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': {
            ids?: string[];
            reason?: string;
            /** @default false */ dryRun?: boolean;
            asOf?: string;
          };
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': { selected: number; asOf?: string } };
        };
      };
    };
  };
  '/api/v1/dead-letters/discard': {
    parameters: {};
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': {
            ids?: string[];
            reason?: string;
            /** @default false */ dryRun?: boolean;
            asOf?: string;
          };
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { 'application/json': { selected: number; asOf?: string } };
        };
      };
    };
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Alert: {
      id: string;
      rule: {
        id: string;
        name: string;
        condition:
          | components['schemas']['RackSilent']
          | components['schemas']['KegValue']
          | components['schemas']['RejectedShare']
          | components['schemas']['KeyExpires'];
      };
      subject: { /** @enum {string} */ kind: 'rack' | 'key' | 'cellar'; id: string; name: string };
      /** @enum {string} */ state: 'pending' | 'firing' | 'resolved';
      since: string;
      firedAt: string | null;
      resolvedAt: string | null;
      resolvedBecause: string | null;
      details: { [key: string]: unknown };
    };
    AlertDestination: {
      id: string;
      /** @enum {string} */ kind: 'webhook' | 'email';
      name: string;
      target: string;
      rules: number;
      waiting: number;
      latest: {
        /** @enum {string} */ state: 'waiting' | 'delivered' | 'failed';
        at: string;
        attempts: number;
        error: string | null;
      } | null;
      createdAt: string;
      createdBy: string | null;
    };
    AlertRule: {
      id: string;
      name: string;
      condition:
        | components['schemas']['RackSilent']
        | components['schemas']['KegValue']
        | components['schemas']['RejectedShare']
        | components['schemas']['KeyExpires'];
      destinations: string[];
      isEnabled: boolean;
      mutedUntil: string | null;
      firing: number;
      pending: number;
      isTruncated: boolean;
      evaluatedAt: string | null;
      problem: string | null;
      createdAt: string;
      createdBy: string | null;
    };
    AuditEntry: {
      id: string;
      at: string;
      actor: string;
      /** @enum {string} */ actorType: 'user' | 'token' | 'service';
      address: string | null;
      action: string;
      cellar: string | null;
      keyId: string | null;
      details: { [key: string]: unknown };
    };
    Cellar: {
      name: string;
      retentionDays: number;
      rateLimit: components['schemas']['RateLimit'] | null;
      lineProtocolKeg: string;
      activeKeys: number;
      rejectedLastHour: number;
      createdAt: string;
      createdBy: string | null;
      archivedAt: string | null;
    };
    ClaimCode: {
      id: string;
      cellar: string;
      displayPrefix: string;
      /** @enum {string} */ state: 'active' | 'used_up' | 'expired' | 'revoked';
      name: string;
      rackPrefix: string | null;
      forGateways: boolean;
      maxKeys: number;
      rateLimit: components['schemas']['RateLimit'] | null;
      claimedKeys: number;
      activeKeys: number;
      createdAt: string;
      createdBy: string | null;
      expiresAt: string;
      revokedAt: string | null;
      revokedBy: string | null;
    };
    ClaimedKey: { apiKey: string; keyId: string; cellar: string; rack: string };
    DeadLetter: {
      id: string;
      at: string;
      reason: string;
      origin: { topic: string; partition: number; offset: string };
      size: number;
      isTruncated: boolean;
      /** @enum {string} */ state: 'open' | 'replaying' | 'replayed' | 'discarded';
      changedAt: string | null;
      source: { cellar: string; rack: string } | null;
      preview: string;
    };
    Email: { /** @enum {string} */ kind: 'email'; name: string; recipients: string[] };
    Error: {
      /** @constant */ status: 'error';
      error: string;
      /** @enum {string} */ code:
        | 'invalid_json'
        | 'invalid_reading'
        | 'timestamp_out_of_range'
        | 'invalid_batch'
        | 'invalid_encoding'
        | 'invalid_request'
        | 'query_too_expensive'
        | 'unauthenticated'
        | 'invalid_claim_code'
        | 'claim_code_used_up'
        | 'cellar_mismatch'
        | 'rack_mismatch'
        | 'insufficient_scope'
        | 'forbidden'
        | 'password_required'
        | 'not_found'
        | 'method_not_allowed'
        | 'request_timeout'
        | 'conflict'
        | 'rack_claimed'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'rate_limited'
        | 'headers_too_large'
        | 'internal_error'
        | 'unavailable';
    };
    IngestStored: {
      topic: string;
      partition: number;
      offset?: number;
      replicas?: number;
      in_sync_replicas?: number;
      replicas_checked_at?: string;
      acknowledged_after_ms: number;
    };
    Invitation: {
      id: string;
      email: string;
      /** @enum {string} */ role: 'owner' | 'member' | 'viewer';
      cellars: string[] | null;
      createdAt: string;
      createdBy: string;
      expiresAt: string;
    };
    KegSettings: {
      keg: string;
      unit: string | null;
      decimals: number | null;
      description: string | null;
      goodRange: { min: number | null; max: number | null };
    };
    KegValue: {
      /** @enum {string} */ kind: 'keg_value';
      rack: string | null;
      rackPrefix: string | null;
      keg: string;
      above: number | null;
      below: number | null;
      forSeconds: number;
    };
    Key: {
      id: string;
      cellar: string;
      name: string;
      displayPrefix: string;
      /** @enum {string} */ state: 'active' | 'expired' | 'revoked';
      rack: string | null;
      rackPrefix: string | null;
      scopes: ('ingest' | 'read')[];
      rateLimit: components['schemas']['RateLimit'] | null;
      createdAt: string;
      createdBy: string | null;
      expiresAt: string | null;
      revokedAt: string | null;
      revokedBy: string | null;
      lastUsedAt: string | null;
      claimCode: { id: string; name: string } | null;
      rotatedFrom: string | null;
      rotatedTo: string | null;
    };
    KeyExpires: { /** @enum {string} */ kind: 'key_expires'; withinDays: number };
    OwnSession: {
      id: string;
      createdAt: string;
      lastUsedAt: string;
      endsAt: string;
      address: string | null;
      userAgent: string | null;
      isCurrent: boolean;
    };
    Pipeline: {
      /** @enum {string} */ state: 'ok' | 'warn' | 'bad';
      behindSeconds: number | null;
      problem: string | null;
      runbook: string | null;
      problems: components['schemas']['PipelineProblem'][];
      runbookBaseUrl: string | null;
      ingest: {
        acceptedPerSecond: number | null;
        rejectedPerSecond: number | null;
        failedPerSecond: number | null;
        replicas: {
          process: string;
          host: string;
          version: string;
          /** @enum {string} */ state: 'ready' | 'not ready' | 'stopping' | 'silent';
          reportAgeSeconds: number;
          uptimeSeconds: number;
          notReady: { part: string; reason: string }[];
          acceptedPerSecond: number | null;
          rejectedPerSecond: number | null;
          failedPerSecond: number | null;
          acknowledgeMs: { p50: number; p99: number } | null;
          waitingReadings: number;
        }[];
      };
      kafka: {
        ageSeconds: number | null;
        partitions: {
          partition: number;
          leader: number | null;
          replicas: number;
          inSync: number;
          lag: number | null;
          sink: string | null;
        }[];
      };
      sink: {
        storedPerSecond: number | null;
        deadLettersPerSecond: number | null;
        replicas: {
          process: string;
          host: string;
          version: string;
          /** @enum {string} */ state: 'ready' | 'not ready' | 'stopping' | 'silent';
          reportAgeSeconds: number;
          uptimeSeconds: number;
          notReady: { part: string; reason: string }[];
          storedPerSecond: number | null;
          storeMs: { p50: number; p99: number } | null;
          behindSeconds: number | null;
          partitions: number[];
        }[];
      };
    };
    PipelineHistory: {
      from: string;
      to: string;
      stepSeconds: number;
      points: {
        at: string;
        acceptedPerSecond: number | null;
        rejectedPerSecond: number | null;
        failedPerSecond: number | null;
        storedPerSecond: number | null;
        behindSeconds: number | null;
        lag: number | null;
      }[];
    };
    PipelineProblem: {
      /** @enum {string} */ state: 'warn' | 'bad';
      title: string;
      text: string;
      runbook: string;
    };
    PipelineStatus: {
      /** @enum {string} */ state: 'ok' | 'warn' | 'bad';
      behindSeconds: number | null;
      problem: string | null;
      runbook: string | null;
    };
    RackSilent: {
      /** @enum {string} */ kind: 'rack_silent';
      rack: string | null;
      rackPrefix: string | null;
      silentForSeconds: number;
      forgetAfterSeconds: number;
    };
    RateLimit: { perSecond: number; burst: number };
    Readiness: { ready: boolean; parts: { [key: string]: { ready: boolean; reason?: string } } };
    RejectedShare: {
      /** @enum {string} */ kind: 'rejected_share';
      percent: number;
      windowSeconds: number;
      minRejected: number;
    };
    Rejection: {
      code: string;
      /** @enum {null|string} */ field: null | 'cellar' | 'rack' | 'keg' | 'value' | 'timestamp';
      count: number;
      lastAt: string;
      rack: string | null;
      detail: string | null;
      key: { id: string; name: string; displayPrefix: string };
    };
    RejectionMinute: {
      minute: string;
      code: string;
      /** @enum {null|string} */ field: null | 'cellar' | 'rack' | 'keg' | 'value' | 'timestamp';
      count: number;
      lastAt: string;
      rack: string | null;
      detail: string | null;
      key: { id: string; name: string; displayPrefix: string };
    };
    ServiceToken: {
      id: string;
      name: string;
      displayPrefix: string;
      /** @enum {string} */ role: 'owner' | 'member' | 'viewer';
      cellars: string[] | null;
      createdAt: string;
      createdBy: string;
      expiresAt: string | null;
      revokedAt: string | null;
      lastUsedAt: string | null;
    };
    Session: {
      user: {
        id: string;
        email: string;
        /** @enum {string} */ role: 'owner' | 'member' | 'viewer';
        cellars: string[] | null;
      };
      endsAt: string;
    };
    User: {
      id: string;
      email: string;
      /** @enum {string} */ role: 'owner' | 'member' | 'viewer';
      cellars: string[] | null;
      createdAt: string;
      disabledAt: string | null;
    };
    Webhook: { /** @enum {string} */ kind: 'webhook'; name: string; url: string };
    WholeDeadLetter: {
      id: string;
      at: string;
      reason: string;
      origin: { topic: string; partition: number; offset: string };
      size: number;
      isTruncated: boolean;
      /** @enum {string} */ state: 'open' | 'replaying' | 'replayed' | 'discarded';
      changedAt: string | null;
      key: string;
      value: string;
      headers: { [key: string]: string };
    };
  };
  responses: never;
  parameters: {
    Cellar: string;
    Limit: number;
    Cursor: string;
    Keg: string;
    KeyId: string;
    Action: string;
    Actor: string;
    From: string;
    To: string;
    Hours: number;
    Key: string;
    Step: 60 | 300 | 900 | 3600 | 10800 | 21600 | 86400;
    AlertRuleId: string;
    AlertDestinationId: string;
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
