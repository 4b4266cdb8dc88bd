import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { barrierTests } from './barriers.ts';
import { cellarTests } from './cellar-pages.ts';
import { chromiumPath, NO_CHROMIUM } from './chromium.ts';
import { chosenExpiryTest, comeExpiryTest } from './expiring-key.ts';
import { keyTests } from './path-to-a-key.ts';
import { peopleTests } from './people-pages.ts';
import { secretTests } from './secrets.ts';
import { setUpTests } from './set-up.ts';
import { startStage } from './stage.ts';
import type { Stage } from './stage.ts';

// eslint-disable-next-line no-console -- whoever runs the tests should know why these are skipped
if (chromiumPath === undefined) console.log(NO_CHROMIUM);

// One product and one browser serve all of them.
describe.skipIf(chromiumPath === undefined)('the dashboard in Chromium', () => {
  let stage: Stage;
  const onStage = (): Stage => stage;

  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage.stop());
  afterEach(() => expect(stage.takeComplaints()).toEqual([]));

  chosenExpiryTest(onStage);
  keyTests(onStage);
  cellarTests(onStage);
  peopleTests(onStage);
  secretTests(onStage);
  setUpTests(onStage);
  barrierTests(onStage);
  comeExpiryTest(onStage);
});
