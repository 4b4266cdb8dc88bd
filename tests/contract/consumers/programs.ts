import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from '../../install-once.ts';
import { pythonEnvironment } from '../../python-environment.ts';

const run = promisify(execFile);
const CONSUMERS = join(import.meta.dirname, '..', '..', '..', 'docs', 'consumers');

/** A consumer of docs/consumers, with what it needs installed. */
export interface Program {
  language: 'Python' | 'TypeScript' | 'Java' | 'Go';
  store: 'SQLite' | 'PostgreSQL';
  command: readonly [string, ...string[]];
}

/** Those that this machine can run. Writes a line to standard error for each of the others. */
export async function findPrograms(): Promise<Program[]> {
  const programs: Program[] = [];
  for (const [language, find] of Object.entries(FIND)) {
    const found = await find();
    if ('missing' in found) process.stderr.write(`NOT RUN: the ${language} consumer: ${found.missing}\n`);
    else programs.push(found);
  }
  return programs;
}

const FIND: Record<Program['language'], () => Promise<Program | { missing: string }>> = {
  async Python() {
    const folder = join(CONSUMERS, 'python');
    const found = await pythonEnvironment(join(folder, 'requirements.txt'));
    if ('missing' in found) return found;
    return { language: 'Python', store: 'SQLite', command: [found.python, join(folder, 'consumer.py')] };
  },
  TypeScript: () => {
    const command = [process.execPath, join(CONSUMERS, 'typescript', 'consumer.ts')] as const;
    return Promise.resolve({ language: 'TypeScript', store: 'SQLite', command });
  },
  async Java() {
    const folder = join(CONSUMERS, 'java');
    const pom = join(folder, 'pom.xml');
    const copy = ['--quiet', '--batch-mode', '--file', pom, 'dependency:copy-dependencies'];
    const found = await installOnce('java', [pom], (into) =>
      run('mvn', [...copy, `-DoutputDirectory=${into}`]),
    );
    if ('missing' in found) return found;
    const command = ['java', '-cp', join(found.folder, '*'), join(folder, 'Consumer.java')] as const;
    return { language: 'Java', store: 'PostgreSQL', command };
  },
  async Go() {
    const folder = join(CONSUMERS, 'go');
    const files = ['consumer.go', 'go.mod', 'go.sum'].map((name) => join(folder, name));
    const found = await installOnce('go', files, (into) =>
      run('go', ['build', '-o', into, '.'], { cwd: folder }),
    );
    if ('missing' in found) return found;
    return { language: 'Go', store: 'PostgreSQL', command: [join(found.folder, 'cellarman-consumer')] };
  },
};
