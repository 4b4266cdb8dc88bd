import type uPlot from 'uplot';
import type { ChartRange } from '../chart-series.ts';
import { followFingers } from './follow-fingers.ts';

/** After the last turn of a wheel. */
const SETTLED_MS = 200;

export interface GestureOptions {
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
export function bindGestures(plot: uPlot, { canMove, onMoved }: GestureOptions): Gestures {
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
  const shown = (): ChartRange => next ?? rangeOf(plot);
  function show(range: ChartRange): void {
    next = range;
    frame ??= requestAnimationFrame(() => {
      const { from, to } = shown();
      [frame, next] = [undefined, undefined];
      plot.setScale('x', { min: from, max: to });
    });
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
    if (hasMoved) onMoved(shown());
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
      if (frame !== undefined) cancelAnimationFrame(frame);
      removed.abort();
    },
  };
}

/** The id of a finger is never negative. */
const MOUSE = -1;

function rangeOf({ scales }: uPlot): ChartRange {
  return { from: scales['x']?.min ?? 0, to: scales['x']?.max ?? 0 };
}

/** The types of uPlot lack the last argument: charts that share the crosshair show it too. */
interface SharedCrosshair {
  setCursor(position: { left: number; top: number }, isFired: boolean, isShared: boolean): void;
}

function showCrosshair(plot: uPlot, { clientX, clientY }: PointerEvent): void {
  const { left, top } = plot.over.getBoundingClientRect();
  const shared: SharedCrosshair = plot;
  shared.setCursor({ left: clientX - left, top: clientY - top }, true, true);
}
