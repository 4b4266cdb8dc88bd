import type { Page } from './page.ts';
import { capacity } from './pages/capacity.ts';
import { ingest } from './pages/ingest.ts';
import { keys } from './pages/keys.ts';
import { overview } from './pages/overview.ts';
import { query } from './pages/query.ts';
import { sink } from './pages/sink.ts';

/** In the order in which one reads them. */
export const PAGES: readonly Page[] = [overview, ingest, sink, keys, query, capacity];
