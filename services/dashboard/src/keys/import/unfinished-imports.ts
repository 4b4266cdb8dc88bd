/**
 * An import whose tab was closed before its keys were saved: their secrets are lost. The browser remembers it, without a
 * secret, so that the same file continues it under the same idempotency keys.
 */
export interface UnfinishedImport {
  cellar: string;
  fileName: string;
  /** Of the content of the file. */
  digest: string;
  /** In all its idempotency keys. */
  name: string;
  /** In milliseconds since 1970. */
  at: number;
  /** The lines whose keys are not saved yet. */
  lines: readonly number[];
}

const STORED = 'cellarman unfinished imports';
const MOST = 20;

/** Returns those of a cellar, the oldest first. */
export function unfinishedImports(cellar: string): UnfinishedImport[] {
  return read().filter((one) => one.cellar === cellar);
}

/** Replaces what is known about this import. Without open lines it is forgotten. */
export function rememberImport(changed: UnfinishedImport): void {
  const others = read().filter(({ name }) => name !== changed.name);
  const all = changed.lines.length === 0 ? others : [...others, changed];
  window.localStorage.setItem(STORED, JSON.stringify(all.slice(-MOST)));
}

/**
 * Keeps other tabs from continuing an import that is running: they would take its keys for lost, and revoke them. A closed
 * tab releases it.
 *
 * @returns a function that releases it
 * @throws {Error} when another tab has it
 */
export async function lockImport({ name }: UnfinishedImport): Promise<() => void> {
  return new Promise((locked, rejected) => {
    const options = { ifAvailable: true };
    void navigator.locks.request(`import ${name}`, options, async (lock) => {
      if (lock === null) {
        rejected(new Error('This file is being imported in another tab.'));
        return;
      }
      await new Promise<void>((released) => locked(released));
    });
  });
}

export async function digestOf(content: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function read(): UnfinishedImport[] {
  return JSON.parse(window.localStorage.getItem(STORED) ?? '[]') as UnfinishedImport[];
}
