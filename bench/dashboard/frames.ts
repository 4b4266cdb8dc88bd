import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';

export interface Frames {
  perSecond: number;
  /** Of those that came one frame of the screen after the one before, at 60 per second. */
  shareInTime: number;
}

/** A little more than 1/60 s: browsers round the times of frames. */
const IN_TIME_MS = 17;
const MOVE_EVERY_MS = 8;
const SHIFT = 8;

/** Where the fingers or the mouse are, from 0 to 1, both left and right. */
type Swing = (share: number) => void;

/** Measures the frames of the page while `swing` is called twice per frame, back and forth. */
async function countFrames(page: Page, seconds: number, swing: Swing): Promise<Frames> {
  const recorded = page.evaluate<number[]>(`new Promise((resolve) => {
    const times = [];
    const tick = (time) => {
      times.push(time);
      if (time - times[0] < ${seconds * 1_000}) requestAnimationFrame(tick);
      else resolve(times);
    };
    requestAnimationFrame(tick);
  })`);
  const state = { isDone: false };
  void recorded.finally(() => (state.isDone = true));
  for (let step = 0; !state.isDone; step++) {
    swing((1 + Math.sin(step / 30)) / 2);
    await delay(MOVE_EVERY_MS);
  }
  const times = await recorded;
  const intervals = times.slice(1).map((time, index) => time - (times[index] ?? time));
  return {
    perSecond: (intervals.length * 1_000) / ((times.at(-1) ?? 0) - (times[0] ?? 0)),
    shareInTime: intervals.filter((interval) => interval <= IN_TIME_MS).length / intervals.length,
  };
}

/** Pans the chart with Shift and the mouse, then zooms it with two fingers, as long as each. */
export async function measureGestures(
  page: Page,
  devtools: CDPSession,
  seconds: number,
): Promise<{ still: Frames; pan: Frames; zoom: Frames }> {
  const box = await page.locator('.u-over').boundingBox();
  if (box === null) throw new Error('the chart has no size');
  const y = box.y + box.height / 2;
  const at = (share: number) => box.x + box.width * share;
  const mouse = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', share: number) =>
    devtools.send('Input.dispatchMouseEvent', {
      ...{ type, x: at(share), y, button: 'left', buttons: 1, clickCount: 1, modifiers: SHIFT },
    });
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...shares: number[]) =>
    devtools.send('Input.dispatchTouchEvent', {
      ...{ type, touchPoints: shares.map((share, id) => ({ x: at(share), y, id })) },
    });

  const still = await countFrames(page, seconds, () => undefined);
  await mouse('mousePressed', 0.5);
  const pan = await countFrames(page, seconds, (share) => void mouse('mouseMoved', 0.3 + 0.4 * share));
  // Where it began: the range stays.
  await mouse('mouseMoved', 0.5);
  await mouse('mouseReleased', 0.5);
  await touch('touchStart', 0.4, 0.6);
  const zoom = await countFrames(
    page,
    seconds,
    (share) => void touch('touchMove', 0.4 - 0.3 * share, 0.6 + 0.3 * share),
  );
  await touch('touchEnd');
  return { still, pan, zoom };
}
