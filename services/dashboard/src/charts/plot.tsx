import { useEffect, useEffectEvent, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { alignSeries } from './align-series.ts';
import type { ChartRange, ChartSeries } from './chart-series.ts';
import classes from './chart.module.css';
import { describeSilence, findSilences } from './find-gaps.ts';
import { createMovingPicture } from './gestures/moving-picture.ts';
import { drawAreas, drawSilenceTexts } from './draw-marks.ts';
import type { Marks } from './draw-marks.ts';
import { bindGestures } from './gestures/bind-gestures.ts';
import type { Gestures } from './gestures/bind-gestures.ts';
import { readPalette } from './palette.ts';
import { plotOptions } from './plot-options.ts';
import type { PlotShape } from './plot-options.ts';
import { Readout } from './readout.tsx';
import type { Crosshair } from './readout.tsx';

export interface PlotProps extends ChartRange {
  label: string;
  /** Fixed for the lifetime of the component. */
  shape: PlotShape;
  series: readonly ChartSeries[];
  step: number;
  fillingFrom: number;
  focused?: number | null;
  onZoom?: (range: ChartRange) => void;
  onZoomOut?: () => void;
}

/** The canvas of a chart, and the values at the crosshair. */
export function Plot(props: PlotProps) {
  const { label, shape, series, step, from, to, fillingFrom, focused = null } = props;
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const gestures = useRef<Gestures>(null);
  const drawn = useRef<Drawn>({ lone: [], marks: { silences: [], goodRange: shape.format.goodRange } });
  const [picture] = useState(createMovingPicture);
  const [crosshair, setCrosshair] = useState<Crosshair | null>(null);

  const onDoubleClick = useEffectEvent((): null => {
    props.onZoomOut?.();
    return null;
  });
  const onSelect = useEffectEvent((u: uPlot): void => {
    const { left, width } = u.select;
    if (width === 0) return;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    const range = { from: u.posToVal(left, 'x'), to: u.posToVal(left + width, 'x') };
    if (props.onZoom === undefined) return;
    u.setScale('x', { min: range.from, max: range.to });
    props.onZoom(range);
  });
  const canMove = useEffectEvent(() => props.onZoom !== undefined);
  const onMoved = useEffectEvent((range: ChartRange) => props.onZoom?.(range));
  const create = useEffectEvent((target: HTMLDivElement): uPlot => {
    const palette = readPalette();
    const options = plotOptions(shape, palette, () => drawn.current.lone, picture.isShown);
    return new uPlot(
      {
        ...options,
        width: target.clientWidth,
        cursor: {
          ...options.cursor,
          bind: {
            dblclick: () => onDoubleClick,
            // With Shift the range moves, see bind-gestures.ts.
            mousedown: (_u, _target, select) => (event) =>
              event.button === 0 && !event.shiftKey ? select(event) : null,
          },
        },
        hooks: {
          drawClear: [
            (u) => {
              if (picture.isShown()) picture.draw(u);
              else drawAreas(u, drawn.current.marks, palette);
            },
          ],
          draw: [
            (u) => {
              if (!picture.isShown()) drawSilenceTexts(u, drawn.current.marks, palette);
            },
          ],
          // Not while the range moves: the values would be drawn again for each movement.
          setCursor: [(u) => setCrosshair(gestures.current?.isMoving() === true ? null : crosshairOf(u))],
          setSelect: [onSelect],
        },
      },
      [[]],
      target,
    );
  });

  useEffect(() => {
    const target = frame.current;
    if (target === null) return;
    const u = create(target);
    plot.current = u;
    if (!shape.isSparkline) gestures.current = bindGestures(u, { picture, canMove, onMoved });
    const observer = new ResizeObserver(() => {
      if (target.clientWidth > 0) u.setSize({ width: target.clientWidth, height: u.height });
    });
    observer.observe(target);
    return () => {
      observer.disconnect();
      gestures.current?.remove();
      u.destroy();
      plot.current = null;
    };
  }, [shape.isSparkline, picture]);

  useEffect(() => {
    const { data, lone } = alignSeries(series, { kind: shape.kind, step, from, to, fillingFrom });
    drawn.current = { lone, marks: marksOf(shape, series, step, { from, to }) };
    plot.current?.batch(() => {
      plot.current?.setData(data, false);
      if (gestures.current?.isMoving() !== true) plot.current?.setScale('x', { min: from, max: to });
    });
  }, [series, shape, step, from, to, fillingFrom]);

  useEffect(() => {
    plot.current?.setSeries(focused === null ? null : 1 + focused * 4, { focus: true });
  }, [focused]);

  return (
    <div className={classes.plot}>
      <div ref={frame} role="img" aria-label={label} className={classes.canvas} />
      {crosshair !== null && <Readout crosshair={crosshair} shape={shape} step={step} />}
    </div>
  );
}

interface Drawn {
  lone: readonly number[][];
  marks: Marks;
}

function marksOf(
  { kind, isSparkline, format: { goodRange } }: PlotShape,
  series: readonly ChartSeries[],
  step: number,
  range: ChartRange,
): Marks {
  if (kind === 'bars' || isSparkline) return { silences: [], goodRange };
  const silences = series.flatMap(({ label, points }) =>
    findSilences(points, step, range).map((silence) => ({
      ...silence,
      text: describeSilence(label, silence),
    })),
  );
  return { silences, goodRange };
}

function crosshairOf(u: uPlot): Crosshair | null {
  const { idx, idxs, left } = u.cursor;
  const at = typeof idx === 'number' ? u.data[0][idx] : undefined;
  if (at === undefined || left === undefined || left < 0) return null;
  return {
    at,
    left: left + u.over.offsetLeft,
    isRight: left > u.over.clientWidth / 2,
    values: u.data.map((column, index) => column[idxs?.[index] ?? -1] ?? null),
  };
}
