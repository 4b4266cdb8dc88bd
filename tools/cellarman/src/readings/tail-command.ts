import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { printable } from '../output/printable.ts';
import type { TopicReadingText } from './follow-topic.ts';

export function addTailCommand(program: Command, context: Context): void {
  program
    .command('tail <cellar>')
    .description('print new readings of the topic, until Ctrl-C')
    .option('--rack <name>', 'only readings of this rack')
    .option('--json', 'print the message values unchanged, one per line')
    .action(async (cellar: string, { rack, json }: { rack?: string; json?: true }) => {
      // Loaded on use: what the other commands do not need would slow their start.
      const [{ followTopic }, { readKafkaAccess }] = await Promise.all([
        import('./follow-topic.ts'),
        import('./kafka-settings.ts'),
      ]);
      await followTopic({
        access: readKafkaAccess(context.settings.kafkaEnvironment()),
        cellar,
        rack,
        stop: context.interrupted,
        onReady: () =>
          context.tell(`following ${cellar}${rack === undefined ? '' : `/${rack}`}; press Ctrl-C to stop`),
        onReading: (reading) => context.print(json ? reading.text : describe(reading)),
      });
    });
}

function describe({ reading }: TopicReadingText): string {
  const { timestamp, rack, keg, value } = reading;
  return `${timestamp}  ${printable(rack)}  ${printable(keg)}  ${value}`;
}
