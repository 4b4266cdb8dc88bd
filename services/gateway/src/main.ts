import { runService } from '@cellarman/lifecycle';
import { newLocalKey } from './local-keys.ts';
import { gateway } from './start.ts';

const [command, name] = process.argv.slice(2);
if (command === 'new-key' && name !== undefined) process.stdout.write(newLocalKey(name));
else await runService(gateway);
