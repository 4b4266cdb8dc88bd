/* eslint-disable @typescript-eslint/no-deprecated -- every Grafana since 10 reads this form of a dashboard; the new one needs 12 */
import {
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard';
import type { Dashboard, VariableOption } from '@grafana/grafana-foundation-sdk/dashboard';
import { buildPanel, DATASOURCE } from './build-panel.ts';
import type { Page } from './page.ts';

const TAG = 'cellarman';
/** Also where there are no namespaces at all. */
const ALL: VariableOption = { selected: true, text: 'All', value: '$__all' };

/** What Grafana's own builders make of a page: a dashboard as its JSON. */
export function buildDashboard(page: Page): Dashboard {
  const dashboard = new DashboardBuilder(`Cellarman / ${page.title}`)
    .uid(`cellarman-${page.name}`)
    .description(page.description)
    .tags([TAG])
    .timezone('browser')
    .time({ from: 'now-1h', to: 'now' })
    .refresh('30s')
    .tooltip(DashboardCursorSync.Crosshair)
    .link(
      new DashboardLinkBuilder('Cellarman')
        .type(DashboardLinkType.Dashboards)
        .tags([TAG])
        .includeVars(true)
        .keepTime(true),
    )
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .withVariable(
      new QueryVariableBuilder('namespace')
        .label('Namespace')
        .datasource(DATASOURCE)
        .query('label_values(cellarman_ingest_connections, namespace)')
        .refresh(VariableRefresh.OnDashboardLoad)
        .includeAll(true)
        .allValue('.*')
        .current(ALL),
    );
  for (const row of page.rows) {
    dashboard.withRow(new RowBuilder(row.title));
    for (const panel of row.panels) dashboard.withPanel(buildPanel(panel, row.panels.length));
  }
  return dashboard.build();
}
