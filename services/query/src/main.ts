import { runService } from '@cellarman/lifecycle';
import { query } from './start.ts';

await runService(query);
