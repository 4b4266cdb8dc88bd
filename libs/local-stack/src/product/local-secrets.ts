import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readPrivateJson, writePrivateJson } from './private-json.ts';

export interface LocalSecrets {
  /** The token of each service is derived from it. */
  internalToken: string;
  adminPassword: string;
  clickhousePassword: string;
  postgresPassword: string;
  redisPassword: string;
}

/** Made once for each data directory. A secret that an earlier version did not have is added to those that are there. */
export async function localSecrets(dataDir: string): Promise<LocalSecrets> {
  const file = join(dataDir, 'secrets.json');
  const kept = (await readPrivateJson(file)) as Partial<LocalSecrets> | undefined;
  const secrets: LocalSecrets = {
    internalToken: random(24),
    adminPassword: random(12),
    clickhousePassword: random(18),
    postgresPassword: random(18),
    redisPassword: random(18),
    ...kept,
  };
  if (Object.keys(secrets).length > Object.keys(kept ?? {}).length) await writePrivateJson(file, secrets);
  return secrets;
}

/** Of letters, digits, `-` and `_`: it needs no quoting in a URL, a shell or a configuration file. */
function random(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}
