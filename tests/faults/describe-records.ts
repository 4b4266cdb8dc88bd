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
  'duplicated',
  'altered',
  'rejected or failed requests',
  'slowest response',
  'longest outage',
  'other figures',
  'problems',
];

/** Names in the record, which stay as they were recorded, and their wording in the document. */
const WORDING = [
  [/seconds until (\S+) answers again/, 'seconds until $1 responds'],
  [/until everything is ready( again)?/, 'until all services are ready'],
  [/until acknowledged( again)?/, 'until the next acknowledgement'],
  [/everything was ready/, 'all services were ready'],
  [/until the view has caught up/, 'until the view is up to date'],
  [/space is back/, 'space is available'],
  [/a key can be made/, 'a key can be created'],
  [/keys that were rejected/, 'rejected keys'],
  [/keys that were acknowledged/, 'keys acknowledged'],
  [/answers about good/, 'requests with good'],
  [/from a revocation to its rejection/, 'from revocation to rejection'],
  [/in multiples of arrival/, '× arrival rate'],
  [/^away/, 'key-service and PostgreSQL unavailable'],
  [/stands still/, 'paused'],
  [/that had stood still took/, 'that had been paused accepted'],
] as const;

/** `docs/reliability.md`, from the record of all completed rounds. */
export function describeRecords(records: readonly PlayedPart[]): string {
  const sum = (count: (record: PlayedPart) => number): string =>
    records.reduce((total, record) => total + count(record), 0).toLocaleString('en');
  return `# Reliability

> Generated from \`reliability.jsonl\`, to which \`npx -y pnpm@12 faults ROW\` appends. Do not edit.

In each round, clients post readings while a failure is injected. Clients retry every reading until it is acknowledged. Then
it compares what was acknowledged with the view \`readings\`, the raw topic and the rollups behind the charts: every
acknowledged reading must be stored exactly once and as it was sent, and nothing else may be stored.

All rounds together: **${sum(({ acknowledged }) => acknowledged)} acknowledged, ${sum(({ missing }) => missing)} missing, ${sum(
    ({ doubled }) => doubled,
  )} duplicated, ${sum(({ changed }) => changed)} altered.**

\`npx -y pnpm@12 faults\` lists the rounds. A short version of each round that needs no root is in \`tests/faults/\`. A test
also checks the comparison itself: it fails when a lost acknowledgement, a duplicated row or an altered row is planted.

- **stored** is the number of rows in the view. It can exceed **acknowledged**, because the last response to a client may be
  lost when a round ends.
- **load** is the mean number of runnable processes in the minute before, on two cores. Above 2 the machine was busy with other
  work, and recovery takes longer than on a dedicated machine.
- A round that found a bug stays in the table, with the **problem**.

${ROWS.map(({ name, title, goal }) => {
  const played = records.filter(({ row }) => row === name);
  return `## ${title}\n\nGoal: ${goal}. \`faults ${name}\`\n\n${played.length === 0 ? 'Not run yet.' : table(played)}`;
}).join('\n\n')}
`;
}

function table(records: readonly PlayedPart[]): string {
  const rows = records.map((record) => [
    record.date,
    record.commit,
    record.load?.toLocaleString('en') ?? '9 to 45',
    reword(record.part),
    ...[record.acknowledged, record.stored, record.missing, record.doubled, record.changed].map((count) =>
      count.toLocaleString('en'),
    ),
    list(record.rejected, (name, count) => `${count.toLocaleString('en')} × ${name}`),
    seconds(record.slowestAnswerMs),
    seconds(record.longestOutageMs),
    list(record.figures, (name, value) => `${reword(name)}: ${value.toLocaleString('en')}`),
    record.problems.length === 0
      ? 'none'
      : record.problems.map((problem) => cell(reword(problem))).join('; '),
  ]);
  return [COLUMNS, COLUMNS.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function list(entries: Record<string, number>, describe: (name: string, value: number) => string): string {
  return Object.entries(entries)
    .map(([name, value]) => describe(name, value))
    .join(', ');
}

function reword(recorded: string): string {
  return WORDING.reduce((text, [pattern, wording]) => text.replace(pattern, wording), recorded);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
