/* eslint-disable no-console -- the result goes to the terminal */
/**
 * Rehearses the alerts: breaks the running product on purpose, waits for the alert, does what its runbook says until the
 * alert is resolved, and writes what happened into the runbook. `node rehearse/main.ts kafka-is-away redis-is-away` limits it.
 */
import { scratchDirectory } from '@cellarman/local-stack';
import type { Drill } from './drill.ts';
import { ALL_DRILLS } from './drills/all-drills.ts';
import { runDrill } from './run-drill.ts';
import { startScene } from './scene.ts';
import type { Scene } from './scene.ts';
import { writeTranscript } from './write-transcript.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !ALL_DRILLS.some((drill) => drill.name === name));
if (wanted.includes('--help') || wanted.includes('-h')) {
  console.log(`Usage: npx -y pnpm@12 rehearse [DRILL …]

Injects a failure into the running product, waits for its alert, follows the runbook until the alert resolves, and
writes the transcript into the runbook. Without a name it runs all drills:
${ALL_DRILLS.map(({ name }) => name).join('\n')}`);
} else if (unknown.length > 0) {
  console.error(
    `There is no drill ${unknown.join(', ')}. There are:\n${ALL_DRILLS.map(({ name }) => name).join('\n')}`,
  );
  process.exitCode = 1;
} else {
  await rehearse(wanted.length === 0 ? ALL_DRILLS : ALL_DRILLS.filter(({ name }) => wanted.includes(name)));
}

async function rehearse(drills: readonly Drill[]): Promise<void> {
  // Whatever ends this process, also an error below: what it has started goes with it.
  const scratch = await scratchDirectory('cellarman-rehearsal-');
  const scene = await startScene(scratch);
  for (const drill of drills) await rehearseOne(scene, drill);
  await scene.stop();
  await scratch.remove();
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
