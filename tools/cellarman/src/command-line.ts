import { InvalidInput } from '@cellarman/key-settings';
import { Command, CommanderError } from 'commander';
import { addCellarCommands } from './cellars/cellar-commands.ts';
import { addClaimCodeCommands } from './claim-codes/claim-code-commands.ts';
import { ENVIRONMENT_HELP } from './config.ts';
import type { Context } from './context.ts';
import { addDeadLetterCommands } from './dead-letters/dead-letter-commands.ts';
import { describeFailure, EXIT, Failure } from './failure.ts';
import type { ExitCode } from './failure.ts';
import { addImportCommand } from './import/import-command.ts';
import { addKeyCommands } from './keys/key-commands.ts';
import { addLatestCommand } from './readings/latest-command.ts';
import { addTailCommand } from './readings/tail-command.ts';
import { addVerifyCommand } from './readings/verify-command.ts';
import { addSendCommand } from './send/send-command.ts';

/** Carries out one command. @returns what the process ends with */
export async function runCommandLine(args: readonly string[], context: Context): Promise<ExitCode> {
  try {
    await commands(context).parseAsync(args, { from: 'user' });
    return context.interrupted.aborted ? EXIT.interrupted : context.exitCode;
  } catch (error) {
    // Commander has reported it already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (context.interrupted.aborted) context.tell('cellarman: interrupted');
    else context.tell(`cellarman: ${describeFailure(error)}`);
    if (context.interrupted.aborted) return EXIT.interrupted;
    if (error instanceof InvalidInput) return EXIT.usage;
    return error instanceof Failure ? error.exitCode : EXIT.rejected;
  }
}

function commands(context: Context): Command {
  const program = new Command('cellarman')
    .description('Manage cellars, API keys and readings from the command line.')
    .exitOverride()
    .configureOutput({
      writeErr: (text) => context.tell(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'cellarman: ')),
    })
    .showHelpAfterError('(cellarman --help shows the commands, cellarman COMMAND --help their options)')
    .addHelpText('after', ENVIRONMENT_HELP);

  addCellarCommands(program.command('cellars').description('create and list cellars'), context);
  const keys = program.command('keys').description('create, list, rotate, revoke and import API keys');
  addKeyCommands(keys, context);
  addImportCommand(keys, context);
  const codes = program
    .command('claim-codes')
    .description('create, list and revoke codes that devices exchange for API keys');
  addClaimCodeCommands(codes, context);
  const deadLetters = program
    .command('dead-letters')
    .description('list, show, replay and discard messages that are not valid readings');
  addDeadLetterCommands(deadLetters, context);
  addSendCommand(program, context);
  addLatestCommand(program, context);
  addTailCommand(program, context);
  addVerifyCommand(program, context);
  return program;
}
