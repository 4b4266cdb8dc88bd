import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import figures from '../../../docs/performance.json' with { type: 'json' };
import { MEASUREMENTS } from '../src/measurements.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** The share of the measured lines that may change until a bench must be repeated. */
const TOLERANCE = 0.2;

// In the deep tests, because it needs the history.
test.each(Object.values(MEASUREMENTS))(
  '$figure is not older than the code that it measures',
  ({ figure, measures }) => {
    const { bench, commit } = figures[figure];
    const paths = ['--', ...measures];
    const files = git('ls-files', ...paths).split('\n');
    const lines = git('grep', '--count', '', ...paths)
      .split('\n')
      .reduce((sum, line) => sum + Number(line.split(':').at(-1)), 0);
    const changed = git('diff', '--numstat', '--find-renames', commit.replace('+', ''), 'HEAD', ...paths)
      .split('\n')
      .filter((line) => line !== '')
      .reduce((sum, line) => sum + Number(line.split('\t')[0]), 0);
    expect(files.length).toBeGreaterThan(0);
    expect(changed / lines, `run: npx -y pnpm@12 bench ${bench} --record, and generate`).toBeLessThan(
      TOLERANCE,
    );
  },
);

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
