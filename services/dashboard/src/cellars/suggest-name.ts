/** As the service accepts it, see `cellarSchema` of the contracts. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

export function isCellarName(name: string): boolean {
  return NAME.test(name);
}

/** Returns a valid name that resembles the typed one, as in "harbour-brewery"; empty if nothing is left of it. */
export function suggestName(typed: string): string {
  return typed
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[._-]+$/g, '');
}
