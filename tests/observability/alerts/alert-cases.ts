import type { AlertCase } from './alert-case.ts';
import { engineCases } from './engine-cases.ts';
import { ingestCases } from './ingest-cases.ts';
import { sinkCases } from './sink-cases.ts';
import { upCases } from './up-cases.ts';

/** For each alert what makes it fire and when, and what does not. */
export const ALERT_CASES: readonly AlertCase[] = [...upCases, ...ingestCases, ...sinkCases, ...engineCases];
