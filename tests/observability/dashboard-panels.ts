import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const DASHBOARDS = join(import.meta.dirname, '../../deploy/helm/cellarman/files/dashboards');

export interface Panel {
  dashboard: string;
  title: string;
  description: string;
  gridPos: { x: number; y: number; w: number; h: number };
  /** Of Prometheus. None in a row of panels. */
  queries: { expr: string; legend: string }[];
}

interface PanelModel extends Pick<Panel, 'title' | 'gridPos'> {
  description?: string;
  targets?: { expr: string; legendFormat: string }[];
}

/** Returns the panels of all Grafana dashboards of the chart. */
export async function dashboardPanels(): Promise<Panel[]> {
  const names = (await readdir(DASHBOARDS)).filter((name) => name.endsWith('.json'));
  const texts = names.map((name) => readFile(join(DASHBOARDS, name), 'utf8'));
  const models = (await Promise.all(texts)).map((text) => JSON.parse(text) as DashboardModel);
  return models.flatMap(({ title: dashboard, panels }) =>
    panels.map(({ title, gridPos, description = '', targets = [] }) => {
      const queries = targets.map(({ expr, legendFormat }) => ({ expr, legend: legendFormat }));
      return { dashboard, title, description, gridPos, queries };
    }),
  );
}

interface DashboardModel {
  title: string;
  panels: PanelModel[];
}
