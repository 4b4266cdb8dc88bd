/**
 * Compares the view with the topic and with what clients logged:
 * `node tools/verifier/src/main.ts [--from ISO] [--to ISO] [--send-log FILE]… [--wait SECONDS] [--json]`.
 *
 * Without a range it compares the whole topic. Exit code 0: nothing missing, duplicated or altered; 1: something
 * is; 2: it could not be verified.
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
