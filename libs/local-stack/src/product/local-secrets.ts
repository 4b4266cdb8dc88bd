import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readPrivateJson, writePrivateJson } from './private-json.ts';

export interface LocalSecrets {
  /** The token of each service is derived from it. */
  internalToken: string;
  adminPassword: string;
}

/** Made once for each data directory. */
export async function localSecrets(dataDir: string): Promise<LocalSecrets> {
  const file = join(dataDir, 'secrets.json');
  const kept = (await readPrivateJson(file)) as LocalSecrets | undefined;
  if (kept !== undefined) return kept;
  const secrets = {
    internalToken: randomBytes(24).toString('base64url'),
    adminPassword: randomBytes(12).toString('base64url'),
  };
  await writePrivateJson(file, secrets);
  return secrets;
}
