import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CHART } from '../chart/paths.ts';

const run = promisify(execFile);

/** What `helm` says to the chart. Whatever fails throws an error with its words. */
export interface Helm {
  /** What the chart renders with these values, as YAML. `set` is as in `--set-json`. */
  template(valuesFile: string, set?: readonly string[]): Promise<string>;
  lint(valuesFile: string): Promise<string>;
}

export function createHelm(program: string): Helm {
  const helm = async (...args: string[]): Promise<string> => {
    try {
      const { stdout } = await run(program, args, { maxBuffer: 64 * 1_024 * 1_024 });
      return stdout;
    } catch (error) {
      const { stderr, stdout } = error as { stderr?: string; stdout?: string };
      throw new Error(`helm ${args[0] ?? ''} failed: ${stdout ?? ''}${stderr ?? ''}`, { cause: error });
    }
  };
  return {
    template: (valuesFile, set = []) =>
      helm(
        'template',
        'cellarman',
        CHART,
        '--namespace',
        'cellarman',
        '--values',
        valuesFile,
        ...set.flatMap((value) => ['--set-json', value]),
      ),
    lint: (valuesFile) => helm('lint', '--strict', CHART, '--values', valuesFile),
  };
}
