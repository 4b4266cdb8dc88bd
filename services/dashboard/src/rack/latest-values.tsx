import { Paper, Skeleton, Text } from '@mantine/core';
import { Moment } from '../display/time/moment.tsx';
import { describeGoodRange, describeValue } from '../kegs/describe-value.ts';
import type { KegSettingsByName } from '../kegs/keg-settings.ts';
import classes from './rack.module.css';

export interface LatestValue {
  keg: string;
  value: number;
  timestamp: string;
}

export interface LatestValuesProps {
  /** Undefined: loading. */
  values: readonly LatestValue[] | undefined;
  settings: KegSettingsByName;
}

/** The latest value of each keg, large enough to be read from a distance. */
export function LatestValues({ values, settings }: LatestValuesProps) {
  if (values === undefined) return <Skeleton height={112} />;
  return (
    <ul className={classes.values} aria-label="Latest values">
      {values.map((latest) => (
        <ValueCard key={latest.keg} {...latest} settings={settings} />
      ))}
    </ul>
  );
}

function ValueCard({ keg, value, timestamp, settings }: LatestValue & { settings: KegSettingsByName }) {
  const ofKeg = settings.get(keg);
  const { number, unit, state } = describeValue(value, ofKeg);
  const isOutside = state === 'low' || state === 'high';
  return (
    <Paper component="li" withBorder p="sm" className={isOutside ? classes.outside : undefined}>
      <Text size="sm" c="dimmed" className={classes.keg} title={ofKeg?.description ?? keg}>
        {keg}
      </Text>
      <div className={classes.value} data-long={number.length + unit.length > 9} title={String(value)}>
        {number} <span className={classes.unit}>{unit}</span>
      </div>
      <Text size="sm" c={isOutside ? 'var(--mantine-color-error)' : 'dimmed'}>
        {isOutside
          ? `${state === 'low' ? 'Too low' : 'Too high'}, good: ${describeGoodRange(ofKeg) ?? ''}`
          : null}
        {!isOutside && <Moment at={timestamp} />}
      </Text>
    </Paper>
  );
}
