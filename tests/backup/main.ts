/**
 * Backup and restore, rehearsed on the local stack: `node tests/backup/main.ts`. What it does by hand is in docs/backup.md. It
 * takes a minute or two and is no part of the test command.
 */
import { join } from 'node:path';
import { freePorts, scratchDirectory, startProduct } from '@cellarman/local-stack';
import { rehearseArchive } from './archive.ts';
import { rehearseDumps } from './dumps.ts';
import { createFleet } from './fleet.ts';
import { postgresPrograms } from './postgres-programs.ts';
import { createSay } from './say.ts';
import { rehearseTopic } from './topic.ts';

const say = createSay();
const programs = await postgresPrograms();
// Whatever ends this process, also an error below: what it has started goes with it.
const scratch = await scratchDirectory('cellarman-backup-');
const dataDir = join(scratch.path, 'product');
// The same ones after each start: services are found where they were.
const ports = await freePorts({});
let product = await startProduct({ dataDir, ports });
say('the product is running');
const fleet = createFleet(dataDir);
product = await rehearseDumps({ product, dataDir, ports, programs, fleet, say });
product = await rehearseArchive({ product, dataDir, ports, programs, fleet, say });
await rehearseTopic({ product, fleet, say });
say('all rehearsals passed');
await product.stop();
await scratch.remove();
