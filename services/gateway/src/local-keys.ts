import { generateApiKey, hashApiKey } from '@cellarman/api-key';
import { MISSING_RIGHTS } from '@cellarman/contracts';
import type { Reading } from '@cellarman/reading';

/** A key of a device in the local network. Only its hash is configured. */
export interface LocalKey {
  name: string;
  hash: string;
  /** Every rack that it may send for begins with this. */
  rackPrefix: string;
}

const ENTRY = /^(?<name>[^/=,\s]{1,64})(?:\/(?<rackPrefix>[^=,]{1,256}))?=(?<hash>[0-9a-f]{64})$/;

/** Returns the key of an entry such as `boilers/boiler-=<hash>`, or undefined for a malformed one. */
export function parseLocalKey(entry: string): LocalKey | undefined {
  const { name, rackPrefix = '', hash } = ENTRY.exec(entry.trim())?.groups ?? {};
  return name === undefined || hash === undefined ? undefined : { name, rackPrefix, hash };
}

/** Returns a new key for a device, and the entry of LOCAL_KEYS that accepts it. */
export function newLocalKey(name: string): string {
  const key = generateApiKey();
  const entry = `${name}=${hashApiKey(key)}`;
  if (parseLocalKey(entry) === undefined)
    throw new Error(`"${name}" must be a name, or a name and a rack prefix such as boilers/boiler-`);
  return `key for the device:   ${key}\nentry of LOCAL_KEYS:  ${entry}\n`;
}

export interface LocalKeys {
  find(key: string): LocalKey | undefined;
  /** For MQTT, where the key is the password. */
  findNamed(name: string, key: string): LocalKey | undefined;
}

export function createLocalKeys(entries: readonly string[]): LocalKeys {
  const byHash = new Map<string, LocalKey>();
  for (const key of entries.map(parseLocalKey)) if (key !== undefined) byHash.set(key.hash, key);
  // A lookup by hash leaks no timing that helps: the hash of a guess says nothing about other guesses.
  const find = (key: string) => byHash.get(hashApiKey(key));
  return {
    find,
    findNamed(name, key) {
      const found = find(key);
      return found?.name === name ? found : undefined;
    },
  };
}

/** Why this key may not send the reading. */
export function missingRight({ cellar, rack }: Pick<Reading, 'cellar' | 'rack'>, key: LocalKey, own: string) {
  const isMissing = (code: keyof typeof MISSING_RIGHTS) => ({ code, error: MISSING_RIGHTS[code] });
  if (cellar !== own) return isMissing('cellar_mismatch');
  return rack.startsWith(key.rackPrefix) ? undefined : isMissing('rack_mismatch');
}
