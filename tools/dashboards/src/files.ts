import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { buildDashboard } from './build-dashboard.ts';
import { PAGES } from './pages.ts';

const DASHBOARDS = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'deploy',
  'helm',
  'cellarman',
  'files',
  'dashboards',
);

/** The dashboards as files of the chart: their paths and their texts. */
export async function dashboardFiles(): Promise<Map<string, string>> {
  const options = { ...(await resolveConfig(import.meta.filename)), parser: 'json' };
  const files = PAGES.map(async (page): Promise<[string, string]> => {
    const text = await format(JSON.stringify(buildDashboard(page)), options);
    return [join(DASHBOARDS, `${page.name}.json`), text];
  });
  return new Map(await Promise.all(files));
}
