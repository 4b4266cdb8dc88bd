/** Sizes an installation: `npx -y pnpm@12 size --devices 5000000 --interval 60s`. */
import { HELP, runSizing } from './command.ts';

const args = process.argv.slice(2);
try {
  const isHelp = args.includes('--help') || args.includes('-h');
  process.stdout.write(isHelp ? HELP : `${await runSizing(args)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
