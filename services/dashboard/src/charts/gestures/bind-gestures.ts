import type uPlot from 'uplot';
import type { ChartRange } from '../chart-series.ts';
import { followFingers } from './follow-fingers.ts';
import { shownRange } from './moving-picture.ts';
import type { MovingPicture } from './moving-picture.ts';

/** After the last turn of a wheel. */
const SETTLED_MS = 200;
/** Without a movement, the lines are drawn again. */
const RESTING_MS = 150;

export interface GestureOptions {
  /** Shown while the range moves. */
  picture: MovingPicture;
  /** False: the range stays, fingers only move the crosshair. */
  canMove: () => boolean;
  /** Called when a gesture has ended, with the range that is on the screen. */
  onMoved: (range: ChartRange) => void;
}

export interface Gestures {
  /** New data must not reset the range meanwhile. */
  isMoving: () => boolean;
  remove: () => void;
}

/**
 * Moves the range with Shift and the mouse, with a horizontal wheel or two fingers on a trackpad, and with two fingers on a
 * screen, which also zoom. One finger moves the crosshair: uPlot listens to the mouse only.
 */
export function bindGestures(plot: uPlot, { picture, canMove, onMoved }: GestureOptions): Gestures {
  const { over } = plot;
  const fingers = new Map<number, number>();
  const removed = new AbortController();
  let settle: ReturnType<typeof setTimeout> | undefined;
  let move: ((positions: readonly number[]) => ChartRange) | undefined;
  let hasMoved = false;

  const leftOf = ({ clientX }: MouseEvent) => clientX - over.getBoundingClientRect().left;
  // Browsers report several movements per frame, and each would draw everything.
  let frame: number | undefined;
  let next: ChartRange | undefined;
  let rest: ReturnType<typeof setTimeout> | undefined;
  const shown = (): ChartRange => next ?? shownRange(plot);
  function draw(): void {
    const range = shown();
    if (frame !== undefined) cancelAnimationFrame(frame);
    [frame, next] = [undefined, range];
    plot.setScale('x', { min: range.from, max: range.to });
    // The plot has the range after a microtask of its own.
    queueMicrotask(() => {
      if (next === range) next = undefined;
    });
  }
  function show(range: ChartRange): void {
    next = range;
    frame ??= requestAnimationFrame(() => {
      picture.take(plot);
      draw();
    });
    clearTimeout(rest);
    rest = setTimeout(drawLines, RESTING_MS);
  }
  function drawLines(): void {
    clearTimeout(rest);
    picture.drop();
    draw();
  }

  /** The times that are under the fingers stay there. */
  function begin(): void {
    const isMouse = fingers.has(MOUSE);
    [move, hasMoved] = [undefined, false];
    if (!canMove() || (fingers.size < 2 && !isMouse)) return;
    move = followFingers([...fingers.values()], shown(), over.clientWidth, Date.now());
  }

  function end({ pointerId, pointerType }: PointerEvent): void {
    if (!fingers.delete(pointerType === 'mouse' ? MOUSE : pointerId)) return;
    if (hasMoved) {
      drawLines();
      onMoved(shown());
    }
    begin();
  }

  const listeners: Partial<{
    [Name in keyof HTMLElementEventMap]: (event: HTMLElementEventMap[Name]) => void;
  }> = {
    pointerdown(event) {
      const isMouse = event.pointerType === 'mouse';
      if (isMouse && (!event.shiftKey || event.button !== 0)) return;
      over.setPointerCapture(event.pointerId);
      fingers.set(isMouse ? MOUSE : event.pointerId, leftOf(event));
      begin();
    },
    pointermove(event) {
      const finger = event.pointerType === 'mouse' ? MOUSE : event.pointerId;
      if (!fingers.has(finger)) return;
      fingers.set(finger, leftOf(event));
      if (move === undefined) {
        showCrosshair(plot, event);
      } else {
        hasMoved = true;
        show(move([...fingers.values()]));
      }
    },
    pointerup: end,
    pointercancel: end,
    wheel(event) {
      if (!canMove() || Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
      // Otherwise the browser goes back to the previous page.
      event.preventDefault();
      show(followFingers([0], shown(), over.clientWidth, Date.now())([-event.deltaX]));
      clearTimeout(settle);
      settle = setTimeout(() => {
        settle = undefined;
        drawLines();
        onMoved(shown());
      }, SETTLED_MS);
    },
  };
  for (const [name, listener] of Object.entries(listeners))
    over.addEventListener(name, listener as EventListener, { signal: removed.signal, passive: false });
  return {
    isMoving: () => hasMoved || settle !== undefined,
    remove() {
      clearTimeout(settle);
      clearTimeout(rest);
      if (frame !== undefined) cancelAnimationFrame(frame);
      removed.abort();
    },
  };
}

/** The id of a finger is never negative. */
const MOUSE = -1;

/** The types of uPlot lack the last argument: charts that share the crosshair show it too. */
interface SharedCrosshair {
  setCursor(position: { left: number; top: number }, isFired: boolean, isShared: boolean): void;
}

function showCrosshair(plot: uPlot, { clientX, clientY }: PointerEvent): void {
  const { left, top } = plot.over.getBoundingClientRect();
  const shared: SharedCrosshair = plot;
  shared.setCursor({ left: clientX - left, top: clientY - top }, true, true);
}
