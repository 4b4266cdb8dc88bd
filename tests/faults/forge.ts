import { createHash } from 'node:crypto';
import { generateApiKey } from '@cellarman/api-key';

/** How a key that nobody was ever given looks. */
export type Forgery = 'right checksum' | 'wrong checksum' | 'odd';

const CHECKSUM_DIGITS = 6;

/**
 * Keys as an attacker makes them: six of ten with a right checksum, three with a wrong one, one that is
 * near to the good key that was stolen in part.
 *
 * @param good a key that works
 */
export function createForger(good: string): () => { kind: Forgery; key: string } {
  const odd = oddKeys(good);
  let made = 0;
  return () => {
    const turn = made++ % 10;
    if (turn < 6) return { kind: 'right checksum', key: generateApiKey() };
    if (turn < 9) return { kind: 'wrong checksum', key: withWrongChecksum(generateApiKey()) };
    return { kind: 'odd', key: odd[Math.floor(made / 10) % odd.length]?.(generateApiKey()) ?? '' };
  };
}

function withWrongChecksum(key: string): string {
  const last = key.at(-1) ?? '';
  return key.slice(0, -1) + (last === '0' ? '1' : '0');
}

function oddKeys(good: string): ((fresh: string) => string)[] {
  return [
    // All but the random end of the good key; the checksum belongs to another.
    (fresh) => good.slice(0, 20) + fresh.slice(20),
    // What is stored of a good key must not open anything.
    () => createHash('sha256').update(good).digest('hex'),
    (fresh) => good + fresh.slice(-1),
    () => good.slice(0, -CHECKSUM_DIGITS),
    () => good.toUpperCase(),
    (fresh) => `${fresh}, ${good}`,
    (fresh) => fresh.repeat(50),
  ];
}
