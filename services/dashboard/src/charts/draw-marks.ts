import type uPlot from 'uplot';
import type { ChartRange, ValueFormat } from './chart-series.ts';
import type { Palette } from './palette.ts';
import { translucent } from './palette.ts';

/** A stretch without readings. */
export interface Silence extends ChartRange {
  /** As in "cold-room sent nothing for 3 h". */
  text: string;
}

export interface Marks {
  silences: readonly Silence[];
  goodRange: ValueFormat['goodRange'];
}

const ROW_PX = 16;
const MOST_ROWS = 4;

/** Shades silences, and the values outside the good range, below the lines. */
export function drawAreas(plot: uPlot, { silences, goodRange }: Marks, palette: Palette): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = translucent(palette.text, 0.1);
  for (const { from, to } of silences) {
    const left = plot.valToPos(from, 'x', true);
    ctx.fillRect(left, bbox.top, plot.valToPos(to, 'x', true) - left, bbox.height);
  }
  ctx.fillStyle = translucent(palette.bad, 0.08);
  ctx.strokeStyle = palette.bad;
  ctx.setLineDash([6, 4]);
  for (const [limit, edge] of [
    [goodRange.max, bbox.top],
    [goodRange.min, bbox.top + bbox.height],
  ] as const) {
    if (limit === null) continue;
    const y = plot.valToPos(limit, 'y', true);
    ctx.fillRect(bbox.left, edge, bbox.width, y - edge);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}

/** Writes what each silence is, in rows at the top, as far as there is space. */
export function drawSilenceTexts(plot: uPlot, { silences }: Marks, palette: Palette): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.font = palette.font.replace('12px', `${12 * scale}px`);
  ctx.fillStyle = palette.text;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  const ends: number[] = [];
  for (const { from, to, text } of silences) {
    const { width } = ctx.measureText(text);
    const middle = (plot.valToPos(from, 'x', true) + plot.valToPos(to, 'x', true)) / 2;
    const left = Math.min(Math.max(middle - width / 2, bbox.left + 4), bbox.left + bbox.width - width - 4);
    const free = ends.findIndex((end) => end < left);
    const row = free === -1 ? ends.length : free;
    if (row >= MOST_ROWS || width > bbox.width) continue;
    ends[row] = left + width + 8 * scale;
    ctx.fillText(text, left, bbox.top + (row * ROW_PX + 4) * scale);
  }
  ctx.restore();
}
