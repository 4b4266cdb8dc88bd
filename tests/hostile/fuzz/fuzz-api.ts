import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HOOKS = 'hooks';
const here = import.meta.dirname;
/** Bodies of thousands of characters stand in the report. */
const MOST_OUTPUT_BYTES = 1 << 28;

export interface FuzzOptions {
  /** The interpreter of an environment that has schemathesis. */
  python: string;
  /** Path of the OpenAPI document. */
  document: string;
  /** A regular expression: the paths of the document that are left out, or the only ones that are sent to; all of them otherwise. */
  paths?: { without: string } | { only: string };
  url: string;
  headers: Record<string, string>;
  /** What exists in the product; see hooks.py. */
  existing: Existing;
  /** Maximum number of random requests for each operation. */
  perOperation: number;
  seed: number;
}

export interface Existing {
  /** Of the account that is signed in. */
  cookie: string;
  accountId: string;
  cellar: string;
  /** The cellar of the key that sends readings, and of the one that reads them. */
  sending: string;
  /** The API key that reads them. */
  reading: string;
  archivable: string;
  keys: string[];
  revocable: string[];
  /** Ids of claim codes that may be revoked. */
  claimCodes: string[];
  /** A claim code that is never revoked. */
  claimCode: string;
  alertRules: string[];
  alertDestinations: string[];
  admin: { email: string; password: string };
  people: ExistingPeople;
}

/** Users that may be changed, disabled or invited, without harm to the user of the requests. */
export interface ExistingPeople {
  /** Ids of accounts. */
  members: string[];
  /** Each changes their password once. The last one only ever tries. */
  changers: { cookie: string; password: string }[];
  /** A user with several sessions, and the ids of their other sessions. */
  leaver: { cookie: string; sessions: string[] };
  invitations: string[];
  /** Of invitations: the first is only looked at. */
  tokens: string[];
  serviceTokens: string[];
}

export interface Fuzzed {
  tally: Count[];
  /** What schemathesis says; the failures are in it. */
  output: string;
  passed: boolean;
}

export interface Count {
  /** Method and path as in the document; a method that the document does not have stands with the path of another. */
  operation: string;
  status: number;
  count: number;
}

/** Sends what schemathesis generates from an OpenAPI document, and checks each response against the document. */
export async function fuzzApi(options: FuzzOptions): Promise<Fuzzed> {
  const folder = await mkdtemp(join(tmpdir(), 'cellarman-fuzz-'));
  const existing = join(folder, 'existing.json');
  const tally = join(folder, 'tally.json');
  try {
    await writeFile(existing, JSON.stringify({ ...options.existing, seed: options.seed }));
    const env = {
      PATH: process.env['PATH'],
      PYTHONPATH: here,
      PYTHONDONTWRITEBYTECODE: '1',
      SCHEMATHESIS_HOOKS: HOOKS,
      CELLARMAN_FUZZ: existing,
      CELLARMAN_FUZZ_TALLY: tally,
    };
    const { passed, output } = await run(options.python, argumentsOf(options), { cwd: folder, env });
    return { passed, output, tally: JSON.parse(await readFile(tally, 'utf8')) as Count[] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function argumentsOf({ document, paths, url, headers, perOperation, seed }: FuzzOptions): string[] {
  return [
    ...['-m', 'schemathesis.cli', '--config-file', join(here, 'schemathesis.toml'), 'run', document],
    ...['--url', url, '--phases', 'examples,coverage,fuzzing'],
    ...['--max-examples', String(perOperation), '--seed', String(seed), '--generation-database', 'none'],
    ...(paths === undefined
      ? []
      : 'only' in paths
        ? ['--include-path-regex', paths.only]
        : ['--exclude-path-regex', paths.without]),
    ...['--continue-on-failure', '--no-color', '--request-timeout', '20'],
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
  ];
}

function run(
  file: string,
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<{ passed: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile(file, args, { ...options, maxBuffer: MOST_OUTPUT_BYTES }, (error, stdout, stderr) => {
      resolve({ passed: error === null, output: `${stdout}\n${stderr}` });
    });
  });
}
