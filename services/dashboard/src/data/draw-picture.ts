import { readPalette } from '../charts/palette.ts';
import type { SeriesColour } from '../charts/series-colours.ts';

export interface Picture {
  canvas: HTMLCanvasElement;
  title: string;
  series: readonly { label: string; colour: SeriesColour }[];
}

const PADDING = 16;
const LINE = 20;

/** Returns the chart as a PNG with a title and a legend, at the resolution of the screen. */
export async function drawPicture({ canvas, title, series }: Picture): Promise<Blob> {
  const palette = readPalette();
  const scale = devicePixelRatio;
  const width = canvas.width / scale;
  const picture = document.createElement('canvas');
  const ctx = picture.getContext('2d');
  if (ctx === null) throw new Error('The browser cannot draw a picture');
  ctx.font = palette.font;
  const legend = layOut(series, (text) => ctx.measureText(text).width + 32, width);
  const height = PADDING * 2 + LINE + canvas.height / scale + (legend.at(-1)?.row ?? 0) * LINE + LINE;
  picture.width = (width + PADDING * 2) * scale;
  picture.height = height * scale;

  ctx.scale(scale, scale);
  ctx.fillStyle = palette.page;
  ctx.fillRect(0, 0, picture.width, picture.height);
  ctx.translate(PADDING, PADDING);
  ctx.font = palette.font;
  ctx.textBaseline = 'top';
  ctx.fillStyle = palette.text;
  ctx.fillText(title, 0, 0);
  ctx.drawImage(canvas, 0, LINE, width, canvas.height / scale);
  for (const { label, colour, left, row } of legend) {
    const top = LINE + canvas.height / scale + row * LINE;
    ctx.fillStyle = palette.colour(colour);
    ctx.fillRect(left, top + 2, 8, 8);
    ctx.fillStyle = palette.text;
    ctx.fillText(label, left + 14, top);
  }
  return new Promise((resolve, reject) => {
    picture.toBlob((blob) => {
      if (blob === null) reject(new Error('The browser cannot write a picture'));
      else resolve(blob);
    });
  });
}

/** Returns the entries of the legend with their places, in as many rows as they need. */
function layOut(series: Picture['series'], measure: (text: string) => number, width: number) {
  let [left, row] = [0, 0];
  return series.map((one) => {
    const length = measure(one.label);
    if (left > 0 && left + length > width) [left, row] = [0, row + 1];
    const place = { ...one, left, row };
    left += length;
    return place;
  });
}
