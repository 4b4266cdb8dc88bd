import { CELLAR_PATTERN, NAME_PATTERN } from '@cellarman/reading';

const CELLAR = new RegExp(CELLAR_PATTERN);
const RACK = new RegExp(NAME_PATTERN, 'u');

export interface ClaimedRack {
  cellar: string;
  rack: string;
}

/** Returns what the payload claims, or else the message key as ingest writes it: `cellar/rack`. null: neither is readable. */
export function readRack(payload: Buffer, key: Buffer): ClaimedRack | null {
  return fromPayload(payload.toString()) ?? fromKey(key.toString());
}

function fromPayload(text: string): ClaimedRack | null {
  try {
    const claimed: unknown = JSON.parse(text);
    return typeof claimed === 'object' && claimed !== null ? valid(claimed) : null;
  } catch {
    return null;
  }
}

function fromKey(text: string): ClaimedRack | null {
  const slash = text.indexOf('/');
  return slash === -1 ? null : valid({ cellar: text.slice(0, slash), rack: text.slice(slash + 1) });
}

function valid({ cellar, rack }: { cellar?: unknown; rack?: unknown }): ClaimedRack | null {
  if (typeof cellar !== 'string' || typeof rack !== 'string') return null;
  return CELLAR.test(cellar) && RACK.test(rack) ? { cellar, rack } : null;
}
