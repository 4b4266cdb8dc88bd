import type uPlot from 'uplot';
import type { ChartRange } from '../chart-series.ts';

/** A picture that is stretched further is drawn again from the data. */
const MOST_STRETCH = 8;

/**
 * What a plot shows while its range moves: a picture of its lines, taken before. Drawing eight lines of 2,000 points takes
 * far longer than a frame.
 */
export interface MovingPicture {
  isShown: () => boolean;
  /** Takes the picture from the screen, unless there is one. */
  take: (plot: uPlot) => void;
  draw: (plot: uPlot) => void;
  drop: () => void;
}

export function createMovingPicture(): MovingPicture {
  let taken: { canvas: HTMLCanvasElement; range: ChartRange } | undefined;
  return {
    isShown: () => taken !== undefined,
    take(plot) {
      const range = shownRange(plot);
      if (taken !== undefined && stretch(taken.range, range) < MOST_STRETCH) return;
      // After a frame without a picture, the screen has the lines themselves again.
      if (taken !== undefined) return void (taken = undefined);
      const { left, top, width, height } = plot.bbox;
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [width, height];
      canvas.getContext('2d')?.drawImage(plot.ctx.canvas, left, top, width, height, 0, 0, width, height);
      taken = { canvas, range };
    },
    draw(plot) {
      if (taken === undefined) return;
      const { ctx, bbox } = plot;
      const [left, right] = [taken.range.from, taken.range.to].map((time) => plot.valToPos(time, 'x', true));
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      ctx.drawImage(taken.canvas, left ?? 0, bbox.top, (right ?? 0) - (left ?? 0), bbox.height);
      ctx.restore();
    },
    drop() {
      taken = undefined;
    },
  };
}

/** Returns the range on the screen. */
export function shownRange({ scales }: uPlot): ChartRange {
  return { from: scales['x']?.min ?? 0, to: scales['x']?.max ?? 0 };
}

const stretch = (taken: ChartRange, shown: ChartRange) => (taken.to - taken.from) / (shown.to - shown.from);
