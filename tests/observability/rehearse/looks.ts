import type { Act } from './drill.ts';
import type { Scene } from './scene.ts';

/** What `/readyz` of a service says. */
export function readyz(name: 'ingest' | 'key-service' | 'sink' | 'query'): Act {
  return {
    what: `\`/readyz\` of ${name}`,
    run: async ({ run }) => {
      const url = {
        ingest: run.ingestUrl,
        'key-service': run.keyServiceInternalUrl,
        sink: run.sinkUrl,
        query: run.queryOperationsUrl,
      }[name];
      return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
        async (answer) => `${answer.status} ${code(short(await answer.text()))}`,
        (error: unknown) => `no response (${reasonOf(error)})`,
      );
    },
  };
}

/** The result of a Prometheus query of the runbook. */
export function ask(expr: string): Act {
  return {
    what: code(expr),
    run: async ({ prometheus }) => {
      const series = await prometheus.query(expr);
      const values = series.map(({ metric, value: [, text] }) => {
        const names = Object.entries(metric)
          .filter(([label]) => label !== '__name__' && label !== 'namespace')
          .map(([label, value]) => `${label}="${value}"`);
        return `${names.length === 0 ? '' : `{${names.join(', ')}} `}${Number(Number(text).toPrecision(4))}`;
      });
      return values.length === 0 ? 'nothing' : code(values.slice(0, 3).join('; '));
    },
  };
}

/** The last line of a log with this text: its message and its reason. */
export function log(name: string, text: string): Act {
  return {
    what: `the log of ${name}`,
    run: async (scene) => {
      const line = await scene.lastLogLine(name, text);
      if (line === '') return 'nothing of it';
      const { msg, err, reason } = JSON.parse(line) as {
        msg: string;
        err?: { message: string };
        reason?: string;
      };
      const why = err?.message ?? reason;
      return code(short(why === undefined ? msg : `${msg}: ${why}`));
    },
  };
}

/** Kills an engine or a service and keeps it away. `scene.undo` brings it back if the drill breaks off. */
export async function takeDown(scene: Scene, name: string): Promise<void> {
  const bringBack = await scene.product.takeDown(name, 0);
  scene.undo.push(bringBack);
}

/** The counterpart of `takeDown`: does what waits to be undone. */
export function undo(what: string): Act {
  return {
    what,
    run: async (scene) => {
      for (const act of scene.undo.splice(0)) await act();
      return undefined;
    },
  };
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 240 ? `${line.slice(0, 240)}…` : line;
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { message?: string } };
  return cause?.message ?? message;
}
