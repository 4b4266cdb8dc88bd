import pc from 'picocolors';
import type { StackEvent } from './stack-event.ts';
import { describeEvent } from './describe-event.ts';

export interface Progress {
  show: (event: StackEvent) => void;
  /** The start is complete: later events are logged line by line. */
  finish: () => void;
}

interface Row {
  begin: number;
  seconds?: number;
}

const TICK_MS = 100;

/** Shows how the start goes: one line for each part, alive on a terminal, plain when it is not one. */
export function createProgress(out: NodeJS.WriteStream): Progress {
  return out.isTTY ? liveProgress(out) : plainProgress(out);
}

function plainProgress(out: NodeJS.WriteStream): Progress {
  return { show: (event) => void out.write(`${describeEvent(event)}\n`), finish: () => undefined };
}

function liveProgress(out: NodeJS.WriteStream): Progress {
  const rows = new Map<string, Row>();
  let drawn = 0;
  let finished = false;
  const ticks = setInterval(draw, TICK_MS).unref();
  return {
    show: (event) => {
      if (finished || event.type === 'ended' || event.type === 'failed') {
        above(describeEvent(event));
        return;
      }
      const row = rows.get(event.name) ?? { begin: performance.now() };
      if (event.type === 'ready' || event.type === 'step-done') row.seconds = event.seconds;
      rows.set(event.name, row);
      draw();
    },
    finish: () => {
      draw();
      clearInterval(ticks);
      rows.clear();
      drawn = 0;
      finished = true;
    },
  };

  function above(line: string): void {
    erase();
    out.write(`${line}\n`);
    draw();
  }

  function draw(): void {
    erase();
    for (const [name, { begin, seconds }] of rows) {
      const elapsed = (seconds ?? (performance.now() - begin) / 1000).toFixed(1).padStart(5);
      const mark = seconds === undefined ? pc.yellow('…') : pc.green('✓');
      out.write(`  ${mark} ${name.padEnd(18)} ${pc.dim(`${elapsed} s`)}\n`);
    }
    drawn = rows.size;
  }

  function erase(): void {
    if (drawn > 0) out.write(`\u001b[${drawn}A\u001b[0J`);
    drawn = 0;
  }
}
