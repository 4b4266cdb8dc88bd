import { runService } from '@cellarman/lifecycle';
import { ingest } from './start.ts';

await runService(ingest);
