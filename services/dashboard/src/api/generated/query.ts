/* eslint-disable */
/* Generated from docs/openapi by: npx -y pnpm@12 generate */

export interface paths {
  '/api/v1/query/cellars': {
    parameters: {};
    get: {
      parameters: {};
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              cellars: {
                cellar: string;
                readingsLastHour: number;
                lastReadingAt: string | null;
                racks: number;
                silentRacks: number;
                hours: number[];
              }[];
            };
          };
        };
      };
    };
  };
  '/api/v1/query/cellars/{cellar}/overview': {
    parameters: {};
    get: {
      parameters: { path: { cellar: components['parameters']['Cellar'] } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              now: string;
              readingsLastMinute: number;
              readingsLastHour: number;
              lastReadingAt: string | null;
              racksLastHour: number;
            };
          };
        };
      };
    };
  };
  '/api/v1/query/cellars/{cellar}/counts': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          from?: components['parameters']['From'];
          to?: components['parameters']['To'];
          step?: components['parameters']['Step'];
        };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              step: number;
              buckets: { at: string; readings: number; isComplete: boolean }[];
            };
          };
        };
      };
    };
  };
  '/api/v1/query/cellars/{cellar}/keys/{keyId}/usage': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          from?: components['parameters']['From'];
          to?: components['parameters']['To'];
          step?: components['parameters']['Step'];
        };
        path: { cellar: components['parameters']['Cellar']; keyId: string };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              step: number;
              buckets: { at: string; readings: number; isComplete: boolean }[];
              racks: { rack: string; readings: number; lastReceivedAt: string }[];
              rackCount: number;
            };
          };
        };
      };
    };
  };
  '/api/v1/query/cellars/{cellar}/racks': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          search?: components['parameters']['Search'];
          prefix?: string;
          keg?: string;
          silentForSeconds?: number;
          sort?: 'rack' | 'lastSeenAt' | 'readingsLastHour';
          order?: 'asc' | 'desc';
          limit?: number;
          cursor?: components['parameters']['Cursor'];
        };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              racks: { rack: string; lastSeenAt: string; readingsLastHour: number; kegs: number }[];
              nextCursor: string | null;
            };
          };
        };
      };
    };
  };
  '/api/v1/query/cellars/{cellar}/rack': {
    parameters: {};
    get: {
      parameters: { query: { rack: string }; path: { cellar: components['parameters']['Cellar'] } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              rack: string;
              kegs: number;
              lastSeenAt: string | null;
              previous: string | null;
              next: string | null;
            };
          };
        };
      };
    };
  };
  '/api/v1/query/cellars/{cellar}/rack/keys': {
    parameters: {};
    get: {
      parameters: {
        query: { rack: string; from?: string; to?: string };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': { keys: { keyId: string; readings: number; lastReceivedAt: string }[] };
          };
        };
      };
    };
  };
  '/api/v1/query/cellars/{cellar}/kegs': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          search?: components['parameters']['Search'];
          limit?: number;
          cursor?: components['parameters']['Cursor'];
        };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              kegs: { keg: string; racks: number; lastSeenAt: string }[];
              nextCursor: string | null;
            };
          };
        };
      };
    };
  };
  '/api/v1/query/cellars/{cellar}/latest': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          rack?: components['parameters']['Rack'];
          keg?: components['parameters']['Keg'];
          limit?: number;
          cursor?: components['parameters']['Cursor'];
        };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              series: { rack: string; keg: string; timestamp: string; value: number; receivedAt: string }[];
              nextCursor: string | null;
            };
          };
        };
      };
    };
  };
  '/api/v1/query/cellars/{cellar}/series': {
    parameters: {};
    get: {
      parameters: {
        query: { rack: string[]; keg: string[]; from?: string; to?: string; points?: number };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              step: number;
              from: string;
              to: string;
              series: {
                rack: string;
                keg: string;
                points: { at: string; avg: number; min: number; max: number; last: number; count: number }[];
                summary: { avg: number; min: number; max: number; last: number; count: number } | null;
              }[];
            };
          };
        };
      };
    };
  };
  '/api/v1/query/cellars/{cellar}/readings': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          rack?: components['parameters']['Rack'];
          keg?: components['parameters']['Keg'];
          from?: string;
          to?: string;
          order?: 'asc' | 'desc';
          format?: 'json' | 'ndjson' | 'csv' | 'csv-safe' | 'csv-plain';
          limit?: number;
          cursor?: components['parameters']['Cursor'];
        };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              readings: { rack: string; keg: string; timestamp: string; value: number; receivedAt: string }[];
              nextCursor: string | null;
            };
            'application/x-ndjson': string;
            'text/csv': string;
          };
        };
      };
    };
  };
  '/api/v1/query/cellars/{cellar}/reading': {
    parameters: {};
    get: {
      parameters: {
        query: { rack: string; keg: string; timestamp: string; value: number };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              reading: {
                rack: string;
                keg: string;
                timestamp: string;
                value: number;
                receivedAt: string;
                storedAt: string | null;
                keyId: string | null;
              } | null;
              checkedAt: string;
            };
          };
        };
      };
    };
  };
  '/api/v1/query/cellars/{cellar}/live': {
    parameters: {};
    get: {
      parameters: {
        query?: {
          rack?: components['parameters']['Rack'];
          keg?: components['parameters']['Keg'];
          rackPrefix?: string;
          limit?: number;
        };
        header?: { 'last-event-id'?: string };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'text/event-stream': { /** @enum {string} */ event: 'readings'; id: string; data: string };
          };
        };
      };
    };
  };
  '/api/v1/query/cellars/{cellar}/verification': {
    parameters: {};
    get: {
      parameters: {
        query?: { from?: string; to?: string };
        path: { cellar: components['parameters']['Cellar'] };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              hours: {
                at: string;
                /** @enum {string} */ state: 'verified' | 'pending' | 'unverifiable';
                checkedAt: string | null;
                messages: number;
                acknowledged: number;
                stored: number;
                missing: number;
                duplicated: number;
                altered: number;
                expired: number;
                deadLetters: number;
                findings: string[];
              }[];
              total: {
                messages: number;
                acknowledged: number;
                stored: number;
                missing: number;
                duplicated: number;
                altered: number;
                expired: number;
                deadLetters: number;
              };
              checkedAt: string | null;
            };
          };
        };
      };
    };
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Arrivals: {
      readings: {
        rack: string;
        keg: string;
        timestamp: string;
        value: number;
        receivedAt: string;
        storedAt: string;
        visibleAfterMs: number | null;
      }[];
      more: number;
      isComplete: boolean;
    };
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
    Readiness: { ready: boolean; parts: { [key: string]: { ready: boolean; reason?: string } } };
  };
  responses: never;
  parameters: {
    Cellar: string;
    From: string;
    To: string;
    Step: 60 | 300 | 900 | 3600 | 10800 | 21600 | 86400;
    Search: string;
    Keg: string;
    Cursor: string;
    Rack: string;
    RackPrefix: string;
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
