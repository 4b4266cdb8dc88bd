import type { PlayedPart } from './played-part.ts';
import { ROWS } from './rows/index.ts';

const COLUMNS = [
  'date',
  'commit',
  'load',
  'round',
  'acknowledged',
  'stored',
  'missing',
  'doubled',
  'changed',
  'refused or unanswered',
  'slowest answer',
  'longest outage',
  'besides',
  'problems',
];

/** `docs/reliability.md`, from the record of all that was played. */
export function describeRecords(records: readonly PlayedPart[]): string {
  const sum = (count: (record: PlayedPart) => number): string =>
    records.reduce((total, record) => total + count(record), 0).toLocaleString('en');
  return `# Reliability

> Generated from \`reliability.jsonl\` beside it, to which \`npx -y pnpm@12 faults ROW\` adds. Do not edit.

While clients post readings that no other client sends, something is broken on purpose. Then what clients saw acknowledged is
held against the view \`readings\` and against the raw topic: whatever was acknowledged must be stored, once, as it was sent, and
nothing may be stored that was not sent, and the tables that charts are drawn from must say the same. What was not acknowledged is sent again until it is. Stored counts rows of the view; it
may be a little more than acknowledged, because the last answer of a client may be missing when a round ends.

\`npx -y pnpm@12 faults\` lists the rows. A short version of each that needs no root is part of the test command
(\`tests/faults/\`), and a test plants a lost acknowledgement, a doubled and a changed row, which must turn the ledger red.
A round that found something stays in the table, with what it found. All ran on two cores. "load" is the mean number of
runnable processes in the minute before: above 2 the machine had other work, and times to recover are longer than on a machine
of one's own.

All rounds together: ${sum(({ acknowledged }) => acknowledged)} acknowledged, ${sum(({ missing }) => missing)} missing, ${sum(
    ({ doubled }) => doubled,
  )} doubled, ${sum(({ changed }) => changed)} changed.

${ROWS.map(({ name, title, goal }) => {
  const played = records.filter(({ row }) => row === name);
  return `## ${title}\n\nGoal: ${goal}. \`faults ${name}\`\n\n${played.length === 0 ? 'Not played yet.' : table(played)}`;
}).join('\n\n')}
`;
}

function table(records: readonly PlayedPart[]): string {
  const rows = records.map((record) => [
    record.date,
    record.commit,
    record.load?.toLocaleString('en') ?? '9 to 45',
    record.part,
    ...[record.acknowledged, record.stored, record.missing, record.doubled, record.changed].map((count) =>
      count.toLocaleString('en'),
    ),
    list(record.refused, (name, count) => `${count.toLocaleString('en')} × ${name}`),
    seconds(record.slowestAnswerMs),
    seconds(record.longestOutageMs),
    list(record.figures, (name, value) => `${name}: ${value.toLocaleString('en')}`),
    record.problems.length === 0 ? 'none' : record.problems.map(cell).join('; '),
  ]);
  return [COLUMNS, COLUMNS.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function list(entries: Record<string, number>, describe: (name: string, value: number) => string): string {
  return Object.entries(entries)
    .map(([name, value]) => describe(name, value))
    .join(', ');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
