/**
 * The long rounds of fault injection: `npx -y pnpm@12 faults` lists the rows, `npx -y pnpm@12 faults ROW [--again]` plays one.
 *
 * A call takes ten minutes at most; the next one continues with the parts that have no green record yet. Each part that was
 * played is kept in docs/reliability.md. Exit code 0: all parts of the row are green; 1: one is red; 3: parts are left.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { playRound } from './play-round.ts';
import { keep, readRecord, writeDocument } from './record.ts';
import type { Part, Row } from './row.ts';
import { ROWS } from './rows/index.ts';
import { startHarness } from './harness.ts';

const HELP = `Usage: npx -y pnpm@12 faults [ROW [--part NAME] [--again]]

Injects failures into the running product, and verifies that every acknowledged reading is stored exactly once.
Without a row, lists all rows.

  --part NAME  only this part of the row
  --again      run parts again that have already passed

Exit code 0: all parts of the row are green; 1: one is red; 3: some parts have not run yet; run the command again.
`;

const MOST_MINUTES = 10;
const begun = performance.now();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    again: { type: 'boolean', default: false },
    part: { type: 'string' },
  },
});
const [name] = positionals;
const row = ROWS.find((candidate) => candidate.name === name);
if (values.help) process.stdout.write(HELP);
else if (row !== undefined) process.exitCode = await play(row);
else if (name === undefined) await list();
else {
  print(`There is no row ${name}. These are: ${ROWS.map((candidate) => candidate.name).join(', ')}`);
  process.exitCode = 2;
}

async function list(): Promise<void> {
  const record = await readRecord();
  for (const { name: row, title, goal, needsRoot, parts } of ROWS) {
    const green = parts.filter((part) => isGreen(record, row, part)).length;
    const minutes = parts.reduce((sum, part) => sum + part.minutes, 0);
    print(`${row.padEnd(18)} ${title}${needsRoot === true ? ' (needs root)' : ''}`);
    print(
      `${''.padEnd(18)} ${goal}; ${green} of ${parts.length} parts green, about ${minutes} minutes in all`,
    );
  }
  await writeDocument();
}

async function play(row: Row): Promise<number> {
  if (row.needsRoot === true && process.getuid?.() !== 0) {
    print(`${row.name} mounts disks or cuts networks: run it as root`);
    return 2;
  }
  const record = values.again ? [] : await readRecord();
  const open = row.parts.filter(
    (part) => (values.part === undefined || part.name === values.part) && !isGreen(record, row.name, part),
  );
  let isRed = false;
  for (const [i, part] of open.entries()) {
    // The first is played however long it takes.
    if (i > 0 && minutesGone() + part.minutes > MOST_MINUTES) {
      print(`${open.length - i} parts are left: call again`);
      return isRed ? 1 : 3;
    }
    const isPartGreen = await playPart(row, part);
    if (!isPartGreen) isRed = true;
  }
  return isRed ? 1 : 0;
}

async function playPart(row: Row, part: Part): Promise<boolean> {
  print(`${row.title}: ${part.name}`);
  const load = Math.round((loadavg()[0] ?? 0) * 10) / 10;
  const harness = await startHarness(part.harness);
  try {
    const { bounds = {} } = part.round;
    const report = await playRound(harness, part.round, { bounds, say: print });
    const played = await keep(row, part, { report, load });
    print(JSON.stringify(played, null, 2));
    return played.problems.length === 0;
  } finally {
    await harness.stop();
  }
}

function isGreen(record: Awaited<ReturnType<typeof readRecord>>, row: string, part: Part): boolean {
  return record.some(
    (played) => played.row === row && played.part === part.name && played.problems.length === 0,
  );
}

function minutesGone(): number {
  return (performance.now() - begun) / 60_000;
}

function print(text: string): void {
  process.stdout.write(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
}
