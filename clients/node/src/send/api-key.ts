import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Settings } from '../options.ts';
import { postJson } from './post.ts';
import type { Response } from './verdict.ts';

/** The API key: that of the options, or one that is claimed and kept beside the spool. */
export interface ApiKey {
  /** Undefined until it is claimed. */
  current(): string | undefined;
  /**
   * Claims a key once. Resolves also when there is no response.
   *
   * @throws when the file cannot be written
   */
  claim(stop: AbortSignal): Promise<Response>;
}

/** A file `{spool}.key`, the same in all clients. */
interface KeyFile {
  rack: string;
  /** Makes claims idempotent: the same secret gets the same key. */
  deviceSecret: string;
  apiKey?: string;
}

/** Another rack gets another key. The key of this rack stays, whatever the claim code. */
export function openApiKey(settings: Settings): ApiKey {
  const { apiKey, claimCode, rack, claimUrl, spool, timeoutMs } = settings;
  if (apiKey !== '') return { current: () => apiKey, claim: () => Promise.reject(new Error('not needed')) };
  const path = `${spool}.key`;
  let file = read(path);
  if (file?.rack !== rack) file = undefined;

  return {
    current: () => file?.apiKey,
    async claim(stop) {
      if (file === undefined) {
        const made = { rack, deviceSecret: randomBytes(32).toString('base64url') };
        // On disk before the request: whenever the process is killed after it, the next claim gets the same key.
        write(path, made);
        file = made;
      }
      const { deviceSecret } = file;
      const body = new TextEncoder().encode(JSON.stringify({ claimCode, rack, deviceSecret }));
      const url = `${claimUrl}/api/v1/claims`;
      const response = await postJson(url, { 'content-type': 'application/json' }, body, { timeoutMs, stop });
      const claimed = response.body?.['apiKey'];
      if (response.status < 300 && typeof claimed === 'string' && claimed !== '') {
        const complete = { ...file, apiKey: claimed };
        write(path, complete);
        file = complete;
      }
      return response;
    },
  };
}

function read(path: string): KeyFile | undefined {
  try {
    const { rack, deviceSecret, apiKey } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    if (typeof rack !== 'string' || typeof deviceSecret !== 'string') return undefined;
    return { rack, deviceSecret, ...(typeof apiKey === 'string' ? { apiKey } : {}) };
  } catch {
    // There is none, or it is broken: a new secret is made.
    return undefined;
  }
}

/** Replaces the file as a whole: after a power loss, it is the old one or the new one. */
function write(path: string, file: KeyFile): void {
  const part = `${path}.part`;
  const descriptor = openSync(part, 'w', 0o600);
  try {
    // A part that was left by a crash keeps its mode otherwise.
    fchmodSync(descriptor, 0o600);
    writeFileSync(descriptor, JSON.stringify(file));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(part, path);
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), constants.O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
