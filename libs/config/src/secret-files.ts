import { readFileSync } from 'node:fs';
import type { TObject, TSchema } from '@sinclair/typebox';

/** Secrets that stand in files, as Docker and Kubernetes mount them, and what is wrong with those files. */
export interface SecretFiles {
  secrets: Record<string, string>;
  problems: string[];
}

/** `API_KEY_FILE=/run/secrets/api-key` is for `API_KEY`, if the schema calls that a secret. */
export function readSecretFiles(schema: TObject, set: Readonly<Record<string, string>>): SecretFiles {
  const found: SecretFiles = { secrets: {}, problems: [] };
  for (const [name, variable] of Object.entries(schema.properties as Record<string, TSchema>)) {
    const file = set[`${name}_FILE`];
    if (variable['secret'] !== true || file === undefined) continue;
    if (name in set) {
      found.problems.push(`${name} and ${name}_FILE are both set: give one`);
      continue;
    }
    try {
      // Editors end a file with a newline, and no secret ends with one.
      const secret = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      if (secret.trim() === '') found.problems.push(`${name}_FILE names ${file}, which is empty`);
      else found.secrets[name] = secret;
    } catch (error) {
      found.problems.push(
        `${name}_FILE names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code})`,
      );
    }
  }
  return found;
}
