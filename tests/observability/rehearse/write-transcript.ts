import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RUNBOOKS } from '../alerts/alert-rules.ts';
import type { Transcript } from './run-drill.ts';
import { SHORTENED } from './shorten-rules.ts';

const SECTION = /\n## Rehearsed\n[\s\S]*$/;

/** Puts the transcript into the runbook of its alert, in the place of the last one. */
export async function writeTranscript(transcript: Transcript): Promise<void> {
  const { alert, drill, fault, moments } = transcript;
  const file = join(RUNBOOKS, `${alert}.md`);
  const lines = [
    '',
    '## Rehearsed',
    '',
    `${new Date().toISOString().slice(0, 10)}, on the local stack with two replicas of ingest, by \`npx -y pnpm@12 rehearse ${drill}\`.`,
    `In a rehearsal ${SHORTENED}.`,
    '',
    '| after | what |',
    '| ----- | ---- |',
    `| 0 s | ${fault} |`,
    ...moments.map(({ seconds, text }) => `| ${seconds} s | ${text.replaceAll('|', '\\|')} |`),
    '',
  ];
  const runbook = await readFile(file, 'utf8');
  await writeFile(
    file,
    runbook.replace(SECTION, () => lines.join('\n')),
  );
}
