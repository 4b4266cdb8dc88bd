import { ApiError } from '@cellarman/http-api';
import type { Condition } from './condition-schema.ts';

/** @throws {ApiError} `invalid_request` for settings that contradict each other */
export function requireConsistent(condition: Condition): void {
  const problem = problemOf(condition);
  if (problem !== undefined) throw new ApiError('invalid_request', `body/condition ${problem}`);
}

function problemOf(condition: Condition): string | undefined {
  if ('rack' in condition && condition.rack !== null && condition.rackPrefix !== null) {
    return 'must have rack or rackPrefix, not both';
  }
  if (condition.kind === 'keg_value') {
    const { above, below } = condition;
    if (above === null && below === null) return 'must have above or below';
    if (above !== null && below !== null && below > above)
      return 'has below greater than above: every value fires';
  }
  if (condition.kind === 'rack_silent' && condition.forgetAfterSeconds <= condition.silentForSeconds) {
    return 'must have forgetAfterSeconds greater than silentForSeconds';
  }
  return undefined;
}
