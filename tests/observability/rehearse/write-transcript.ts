import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatText } from '../../format-text.ts';
import { RUNBOOKS } from '../alerts/alert-rules.ts';
import type { Transcript } from './run-drill.ts';
import { SHORTENED } from './shorten-rules.ts';

/** The last part of a runbook, and in it one for each drill. */
const TITLE = '\n## Rehearsal\n';
const DRILL_TITLE = '\n### ';

/** Puts the transcript into the runbook of its alert, in the place of the last one of the same drill. */
export async function writeTranscript(transcript: Transcript): Promise<void> {
  const file = join(RUNBOOKS, `${transcript.alert}.md`);
  const [before = '', rehearsed = ''] = (await readFile(file, 'utf8')).split(TITLE);
  const [, ...transcripts] = rehearsed.split(DRILL_TITLE);
  const others = transcripts.filter((text) => !text.startsWith(`${transcript.drill}\n`));
  const parts = [...others.map((text) => text.trimEnd()), describe(transcript)].sort();
  const about = `In a rehearsal ${SHORTENED}.\n`;
  const runbook = `${before}${TITLE}\n${about}${parts.map((text) => `${DRILL_TITLE}${text}\n`).join('')}`;
  await writeFile(file, await formatText(file, runbook));
}

function describe({ drill, fault, moments }: Transcript): string {
  return [
    drill,
    '',
    `${new Date().toISOString().slice(0, 10)}, on the local stack with two replicas of ingest, by \`npx -y pnpm@12 rehearse ${drill}\`.`,
    '',
    '| after | what |',
    '| ----- | ---- |',
    `| 0 s | ${fault} |`,
    ...moments.map(({ seconds, text }) => `| ${seconds} s | ${text.replaceAll('|', '\\|')} |`),
  ].join('\n');
}
