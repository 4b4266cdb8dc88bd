import { DESIGN_REQUIREMENTS } from './design-requirements.ts';
import { SPEC_REQUIREMENTS } from './spec-requirements.ts';

export const REQUIREMENTS = { ...SPEC_REQUIREMENTS, ...DESIGN_REQUIREMENTS };

export type RequirementId = keyof typeof REQUIREMENTS;

/**
 * The title of a test that holds one or several requirements: `test(requirement('auth.absent', '…'), …)`. The page
 * `docs/spec-coverage.md` is made of these calls, so write the arguments as literals.
 */
export function requirement(ids: RequirementId | readonly RequirementId[], title: string): string {
  return `${title} [spec: ${[ids].flat().join(', ')}]`;
}
