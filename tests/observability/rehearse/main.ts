/* eslint-disable no-console -- the result goes to the terminal */
/**
 * Rehearses the alerts: breaks the running product on purpose, waits for the alert, does what its runbook says until the
 * alert is over, and writes what happened into the runbook. `node rehearse/main.ts kafka-is-away redis-is-away` limits it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Drill } from './drill.ts';
import { dataDrills } from './drills/data.ts';
import { engineDrills } from './drills/engines.ts';
import { serviceDrills } from './drills/services.ts';
import { runDrill } from './run-drill.ts';
import { startScene } from './scene.ts';
import type { Scene } from './scene.ts';
import { writeTranscript } from './write-transcript.ts';

const DRILLS: readonly Drill[] = [...engineDrills, ...serviceDrills, ...dataDrills];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !DRILLS.some((drill) => drill.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no drill ${unknown.join(', ')}. There are:\n${DRILLS.map(({ name }) => name).join('\n')}`,
  );
  process.exitCode = 1;
} else {
  await rehearse(wanted.length === 0 ? DRILLS : DRILLS.filter(({ name }) => wanted.includes(name)));
}

async function rehearse(drills: readonly Drill[]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'cellarman-rehearsal-'));
  let scene: Scene | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void scene?.stop().then(() => process.exit(1)));
  try {
    scene = await startScene(directory);
    for (const drill of drills) await rehearseOne(scene, drill);
  } finally {
    await scene?.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** One that fails does not keep the others from being tried. */
async function rehearseOne(scene: Scene, drill: Drill): Promise<void> {
  try {
    const transcripts = await runDrill(scene, drill);
    for (const transcript of transcripts) {
      await writeTranscript(transcript);
      console.log(`✓ ${transcript.alert} (${drill.name})`);
      for (const { seconds, text } of transcript.moments) console.log(`  ${seconds} s ${text}`);
    }
  } catch (error) {
    process.exitCode = 1;
    console.log(
      `✗ ${drill.alerts.join(', ')} (${drill.name}): ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
