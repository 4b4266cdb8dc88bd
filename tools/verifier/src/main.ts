/**
 * Holds the view against the topic and against what clients logged:
 * `node tools/verifier/src/main.ts [--from ISO] [--to ISO] [--send-log FILE]… [--wait SECONDS] [--json]`.
 *
 * Without a range it compares all that the topic still has. Exit code 0: nothing missing, doubled or changed; 1: something
 * is; 2: it could not be found out.
 */
import { HELP, runVerifier } from './command.ts';

const args = process.argv.slice(2);
try {
  if (args.includes('--help') || args.includes('-h')) process.stdout.write(HELP);
  else process.exitCode = (await runVerifier(args)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
