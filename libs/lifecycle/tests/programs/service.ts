import { setTimeout as delay } from 'node:timers/promises';
import { runMain } from '../../src/index.ts';

/** A small process; its one argument says how it behaves. */
const behaviour = process.argv[2];
const print = (text: string) => process.stdout.write(`${text}\n`);
const never = () => new Promise<never>(() => setInterval(() => {}, 1_000));

await runMain({
  name: 'program',
  loadConfig: () => {
    if (behaviour === 'bad-config') throw new Error('PORT must be integer\nREDIS_URL is missing');
    return { SHUTDOWN_DEADLINE_MS: behaviour === 'slow-stop' ? 100 : 60_000 };
  },
  async start(_config, context) {
    if (behaviour === 'migrate') return undefined;
    if (behaviour === 'bad-start') throw new Error('Kafka is away');
    if (behaviour === 'slow-start') {
      print('starting');
      return never();
    }
    if (behaviour === 'throw') setTimeout(() => triggerUncaught());
    if (behaviour === 'reject') void Promise.reject(new Error('nobody waits'));
    if (behaviour === 'fail')
      setTimeout(() => context.fail('the consumer crashed', new Error('no more group')));
    setInterval(() => {}, 1_000);
    // After runMain has taken over, so that a test that reads it can send its signal.
    setImmediate(() => print('ready'));
    return {
      async stop(step) {
        print('stopping');
        if (behaviour === 'bad-stop') await step('flush lanes', () => Promise.reject(new Error('no broker')));
        if (behaviour === 'slow-stop' || behaviour === 'hang') {
          await step('flush lanes', never, () => '12 readings in flight');
        }
        await step('flush lanes', () => delay(10));
        print('flushed');
      },
    };
  },
});

function triggerUncaught(): never {
  throw new Error('thrown out of nowhere');
}
