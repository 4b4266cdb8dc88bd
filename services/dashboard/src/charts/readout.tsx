import { Paper, Text } from '@mantine/core';
import { columnOf } from './align-series.ts';
import { describeStep } from './axis-labels.ts';
import classes from './chart.module.css';
import { describeValue } from '../kegs/describe-value.ts';
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
  const { series, zone } = shape;
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
      {series.map(({ label, colour }, index) => (
        <div key={label} className={classes.value}>
          <span className={classes.swatch} style={{ background: `var(${colour})` }} />
          <span className={classes.name}>{label}</span>
          <Values
            filling={values[columnOf(index, 'filling')] ?? null}
            complete={values[columnOf(index, 'value')] ?? null}
            min={values[columnOf(index, 'min')] ?? null}
            max={values[columnOf(index, 'max')] ?? null}
            shape={shape}
          />
        </div>
      ))}
    </Paper>
  );
}

interface ValuesProps extends Record<'complete' | 'filling' | 'min' | 'max', number | null> {
  shape: PlotShape;
}

function Values({ complete, filling, min, max, shape: { format, kind } }: ValuesProps) {
  const value = complete ?? filling;
  if (value === null) {
    return (
      <Text span size="xs" c="dimmed">
        {kind === 'bars' ? 'None' : 'No readings'}
      </Text>
    );
  }
  const { text, state } = describeValue(value, format);
  const isBad = state === 'low' || state === 'high';
  return (
    <>
      <Text span size="xs" fw={600} {...(isBad && { c: 'var(--mantine-color-error)' })}>
        {text}
        {complete === null && ', not complete'}
      </Text>
      {min !== null && max !== null && min < max && (
        <Text span size="xs" c="dimmed" className={classes.band}>
          {describeValue(min, format).number} – {describeValue(max, format).number}
        </Text>
      )}
    </>
  );
}
