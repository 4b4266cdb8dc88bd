import type { TlsLogger } from '../src/index.ts';

/** Keeps what is logged. */
export function createLines(): TlsLogger & { readonly lines: string[] } {
  const lines: string[] = [];
  const write = (level: string) => (details: object, message: string) => {
    const { err } = details as { err?: Error };
    lines.push(`${level}: ${message}${err === undefined ? '' : `: ${err.message}`}`);
  };
  return { lines, info: write('info'), warn: write('warn') };
}
