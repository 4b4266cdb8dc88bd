import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Vitest starts with the largest files. These are small and take minutes: started last, one worker would wait for the other. */
const LONG = [
  'tests/hostile/fuzz/fuzz.deep.test.ts',
  'tests/faults/one-broker.deep.test.ts',
  'tests/faults/auth.deep.test.ts',
  'libs/local-stack/tests/three-brokers.deep.test.ts',
  'tests/browser/verification.deep.test.ts',
  'tests/faults/three-brokers.deep.test.ts',
  'services/sink/tests/verify-hours.integration.test.ts',
  'tests/alerts/stored.integration.test.ts',
];

/** Starts with the files that take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((file) => moduleId.endsWith(file));
    const { long = [], other = [] } = Object.groupBy(await super.sort(files), (file) =>
      isLong(file) ? 'long' : 'other',
    );
    return [...long, ...other];
  }
}
