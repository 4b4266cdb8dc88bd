import {
  BigValueColorMode,
  BigValueGraphMode,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { ThresholdsConfigBuilder, ThresholdsMode } from '@grafana/grafana-foundation-sdk/dashboard';
import type { Threshold } from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import type { Panel } from './page.ts';

/** The one that is chosen at the top of the dashboard. */
export const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/** Columns of Grafana's grid. */
const WIDTH = 24;
const MOST_IN_A_LINE = 4;

/** @param inRow how many panels share its row */
export function buildPanel(panel: Panel, inRow: number): StatBuilder | TimeseriesBuilder {
  return panel.kind === 'now' ? buildStat(panel, inRow) : buildTimeseries(panel, inRow);
}

function buildStat(panel: Panel, inRow: number): StatBuilder {
  return describe(new StatBuilder(), panel)
    .span(Math.floor(WIDTH / inRow))
    .height(4)
    .colorMode(BigValueColorMode.Background)
    .graphMode(BigValueGraphMode.Area)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']));
}

function buildTimeseries(panel: Panel, inRow: number): TimeseriesBuilder {
  const built = describe(new TimeseriesBuilder(), panel)
    .span(WIDTH / (inRow <= 2 || inRow % MOST_IN_A_LINE === 0 ? Math.min(inRow, MOST_IN_A_LINE) : 3))
    .height(8)
    .fillOpacity(panel.isStacked === true ? 30 : 8)
    .min(0)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi));
  if (panel.isStacked === true) built.stacking(new StackingConfigBuilder().mode(StackingMode.Normal));
  if (panel.badFrom !== undefined)
    built.thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed));
  return built;
}

/** What both kinds have. */
function describe<Builder extends StatBuilder | TimeseriesBuilder>(builder: Builder, panel: Panel): Builder {
  builder.title(panel.title).description(panel.description).datasource(DATASOURCE);
  builder
    .unit(panel.unit ?? 'short')
    .thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(thresholds(panel)));
  for (const [index, { expr, legend }] of panel.queries.entries()) {
    const query = new DataqueryBuilder().refId(String.fromCharCode(65 + index)).datasource(DATASOURCE);
    // Points that lead to the trace of a request behind a quantile.
    if (expr.includes('_bucket{')) query.exemplar(true);
    builder.withTarget(query.expr(expr).legendFormat(legend).range());
  }
  return builder;
}

function thresholds({ badFrom }: Panel): Threshold[] {
  const good: Threshold = { value: null, color: 'green' };
  return badFrom === undefined ? [good] : [good, { value: badFrom, color: 'red' }];
}
