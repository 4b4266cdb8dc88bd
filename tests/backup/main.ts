/**
 * Backup and restore, rehearsed on the local stack: `node tests/backup/main.ts`. What it does by hand is in docs/backup.md. It
 * takes a minute or two and is no part of the test command.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, startProduct } from '@cellarman/local-stack';
import { rehearseArchive } from './archive.ts';
import { rehearseDumps } from './dumps.ts';
import { createFleet } from './fleet.ts';
import { postgresPrograms } from './postgres-programs.ts';
import { createSay } from './say.ts';
import { rehearseTopic } from './topic.ts';

const say = createSay();
const programs = await postgresPrograms();
const dataDir = await mkdtemp(join(tmpdir(), 'cellarman-backup-'));
// The same ones after each start: services are found where they were.
const ports = await freePorts({});
let product = await startProduct({ dataDir, ports });
try {
  say('the product runs');
  const fleet = createFleet(dataDir);
  product = await rehearseDumps({ product, dataDir, ports, programs, fleet, say });
  product = await rehearseArchive({ product, dataDir, ports, programs, fleet, say });
  await rehearseTopic({ product, fleet, say });
  say('all rehearsals went well');
} finally {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}
