import { until } from '@cellarman/local-stack';
import type { FiringAlert } from '../prometheus/start-prometheus.ts';
import type { Act, Drill } from './drill.ts';
import type { Scene } from './scene.ts';

/** When something was observed or done, in seconds since the failure. */
export interface Moment {
  seconds: number;
  text: string;
}

/** What happened from the failure until the alert was resolved. */
export interface Transcript {
  alert: string;
  drill: string;
  fault: string;
  moments: Moment[];
}

/** The longest is the retention, whose threshold is ten minutes. */
const LOOK = { everyMs: 500 };
const FIRES_WITHIN_MS = 15 * 60_000;
const RESOLVED_WITHIN_MS = 5 * 60_000;
const CALM_WITHIN_MS = 3 * 60_000;

/** Breaks it, waits for its alerts, follows the runbooks, and waits until the alerts are resolved. */
export async function runDrill(scene: Scene, drill: Drill): Promise<Transcript[]> {
  const isFiring = async (alert: string) => {
    const wanted = Object.entries({ ...drill.labels, alertname: alert });
    return (await firing(scene)).find(({ labels }) =>
      wanted.every(([name, value]) => labels[name] === value),
    );
  };
  await until('nothing fires before the drill', async () => (await firing(scene)).length === 0, {
    ...LOOK,
    deadlineMs: CALM_WITHIN_MS,
  });

  const begun = Date.now();
  const seconds = () => Math.round((Date.now() - begun) / 1_000);
  const shared: Moment[] = [];
  const fired = new Map<string, Moment>();
  const over = new Map<string, Moment>();
  try {
    await drill.breakIt(scene);
    const areFiring = async () => {
      for (const alert of drill.alerts) {
        const found = fired.has(alert) ? undefined : await isFiring(alert);
        if (found === undefined) continue;
        const { severity = '', summary = '' } = { ...found.labels, ...found.annotations };
        fired.set(alert, { seconds: seconds(), text: `fires (${severity}): "${summary}"` });
      }
      return fired.size === drill.alerts.length;
    };
    await until(`${drill.alerts.join(', ')} fire`, areFiring, { ...LOOK, deadlineMs: FIRES_WITHIN_MS });
    for (const act of drill.look) shared.push(await perform('check', act, scene, seconds));
    for (const act of drill.fix) shared.push(await perform('do:', act, scene, seconds));
    const areOver = async () => {
      for (const alert of drill.alerts) {
        if (!over.has(alert) && (await isFiring(alert)) === undefined)
          over.set(alert, { seconds: seconds(), text: 'resolved' });
      }
      return over.size === drill.alerts.length;
    };
    await until(`${drill.alerts.join(', ')} are over`, areOver, { ...LOOK, deadlineMs: RESOLVED_WITHIN_MS });
  } finally {
    for (const act of scene.undo.splice(0)) await act();
  }
  return drill.alerts.map((alert) => ({
    alert,
    drill: drill.name,
    fault: drill.fault,
    moments: [fired.get(alert), ...shared, over.get(alert)].filter((moment) => moment !== undefined),
  }));
}

async function perform(verb: string, act: Act, scene: Scene, seconds: () => number): Promise<Moment> {
  const noted = await act.run(scene);
  return { seconds: seconds(), text: `${verb} ${act.what}${noted === undefined ? '' : ` → ${noted}`}` };
}

async function firing({ prometheus }: Scene): Promise<FiringAlert[]> {
  return (await prometheus.alerts()).filter(({ state }) => state === 'firing');
}
