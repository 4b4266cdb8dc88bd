import { runService } from '@cellarman/lifecycle';
import { canary } from './start.ts';

await runService(canary);
