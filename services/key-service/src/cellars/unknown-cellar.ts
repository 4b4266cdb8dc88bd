import { Refusal } from '../http/refusal.ts';

/** The same for a cellar that does not exist and for one that is not granted. */
export function unknownCellar(): Refusal {
  return new Refusal('not_found', 'There is no cellar with this name.');
}
