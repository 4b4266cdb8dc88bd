import type { Frame } from './merge-stacks.ts';

const WIDTH = 1_200;
const ROW = 17;
const MARGIN = 10;
const HEAD = 40;
/** Narrower ones are left out, so that the file stays small. */
const NARROWEST = 1.2;
const PIXELS_OF_A_LETTER = 6.2;

/** A flame graph as a plain SVG: the width is CPU time, what calls stands above what is called, a tooltip names each. */
export function flameSvg(root: Frame, title: string): string {
  const boxes: string[] = [];
  const pixels = (WIDTH - 2 * MARGIN) / root.microseconds;
  let deepest = 0;

  function draw(frame: Frame, x: number, depth: number): void {
    const width = frame.microseconds * pixels;
    if (width < NARROWEST) return;
    deepest = Math.max(deepest, depth);
    boxes.push(box(frame, x, HEAD + depth * ROW, width, (frame.microseconds / root.microseconds) * 100));
    let at = x;
    for (const child of frame.children) {
      draw(child, at, depth + 1);
      at += child.microseconds * pixels;
    }
  }

  let at = MARGIN;
  for (const child of root.children) {
    draw(child, at, 0);
    at += child.microseconds * pixels;
  }
  const height = HEAD + (deepest + 1) * ROW + MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="${MARGIN}" y="22" font-size="15">${escape(title)}</text>`,
    ...boxes,
    '</svg>\n',
  ].join('\n');
}

function box(frame: Frame, x: number, y: number, width: number, percent: number): string {
  const tip = `${frame.name} ${frame.place} ${percent.toFixed(1)} %`;
  const letters = Math.floor((width - 4) / PIXELS_OF_A_LETTER);
  const label =
    frame.name.length <= letters ? frame.name : letters > 3 ? `${frame.name.slice(0, letters - 1)}…` : '';
  const text = label === '' ? '' : `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escape(label)}</text>`;
  return `<g><title>${escape(tip)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${(width - 0.3).toFixed(1)}" height="${ROW - 1}" fill="${colour(frame)}"/>${text}</g>`;
}

/** By who wrote it: our code stands out. */
function colour({ name, place }: Frame): string {
  if (name === '(garbage collector)') return '#c9a0dc';
  if (/^(services|libs|bench|tools)\//.test(place)) return '#f6a04d';
  if (place.startsWith('node:') || place === '') return '#b8c4ce';
  return '#f2d16b';
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
