import { Paper, Text } from '@mantine/core';
import { columnOf } from './align-series.ts';
import { describeStep } from './axis-labels.ts';
import classes from './chart.module.css';
import { describeValue, isOutside } from './describe-value.ts';
import type { PlotShape } from './plot-options.ts';

export interface Crosshair {
  /** The start of the step, in milliseconds since 1970. */
  at: number;
  /** In pixels from the left of the chart. */
  left: number;
  /** In the right half of the chart. */
  isRight: boolean;
  /** By column, see align-series.ts. */
  values: readonly (number | null)[];
}

/** The values of all series at the crosshair. */
export function Readout({
  crosshair,
  shape,
  step,
}: {
  crosshair: Crosshair;
  shape: PlotShape;
  step: number;
}) {
  const { at, left, isRight, values } = crosshair;
  const { series, zone, format, kind } = shape;
  return (
    <Paper
      withBorder
      className={classes.readout}
      data-right={isRight || undefined}
      style={{ left }}
      aria-hidden
    >
      <Text size="xs" fw={600}>
        {describeStep(at, step, zone)}
      </Text>
      {series.map(({ label, colour }, index) => {
        const filling = values[columnOf(index, 'filling')] ?? null;
        const value = values[columnOf(index, 'value')] ?? filling;
        const [min, max] = [values[columnOf(index, 'min')], values[columnOf(index, 'max')]];
        return (
          <div key={label} className={classes.value}>
            <span className={classes.swatch} style={{ background: `var(${colour})` }} />
            <span className={classes.name}>{label}</span>
            <Text
              span
              size="xs"
              fw={600}
              {...(value !== null && isOutside(value, format.goodRange)
                ? { c: 'var(--mantine-color-error)' }
                : {})}
            >
              {value === null ? (kind === 'bars' ? 'None' : 'No readings') : describeValue(value, format)}
              {value !== null && value === filling && ', still filling'}
            </Text>
            {value !== null && typeof min === 'number' && typeof max === 'number' && min < max && (
              <Text span size="xs" c="dimmed">
                {describeValue(min, { ...format, unit: null })} –{' '}
                {describeValue(max, { ...format, unit: null })}
              </Text>
            )}
          </div>
        );
      })}
    </Paper>
  );
}
