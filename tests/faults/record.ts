import { execFile } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { formatText } from '../format-text.ts';
import { describeRecords } from './describe-records.ts';
import type { PlayedPart } from './played-part.ts';
import type { RoundReport } from './round.ts';
import type { Part, Row } from './row.ts';

const ROOT = join(import.meta.dirname, '../..');
const RECORD = join(ROOT, 'docs/reliability.jsonl');
const DOCUMENT = join(ROOT, 'docs/reliability.md');

export async function readRecord(): Promise<PlayedPart[]> {
  const text = await readFile(RECORD, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PlayedPart);
}

/** Saves the results, and rewrites the document. */
export async function keep(
  row: Row,
  part: Part,
  { report, load }: { report: RoundReport; load: number },
): Promise<PlayedPart> {
  const rejected = Object.fromEntries(Object.entries(report.answers).filter(([answer]) => answer !== '200'));
  const { acknowledged, stored, missing, doubled, changed } = report.view;
  const played: PlayedPart = {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    commit: await commit(),
    load,
    ...{ row: row.name, part: part.name, acknowledged, stored },
    missing: Math.max(missing, report.topic.missing),
    doubled,
    changed: changed + report.topic.changed + report.deadLetters,
    rejected,
    slowestAnswerMs: report.slowestAnswerMs,
    longestOutageMs: report.longestOutageMs,
    figures: report.figures,
    problems: report.problems,
  };
  await appendFile(RECORD, `${JSON.stringify(played)}\n`);
  await writeDocument();
  return played;
}

export async function writeDocument(): Promise<void> {
  await writeFile(DOCUMENT, await formatText(DOCUMENT, describeRecords(await readRecord())));
}

const run = promisify(execFile);

async function commit(): Promise<string> {
  return (await run('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT })).stdout.trim();
}
