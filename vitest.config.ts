import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/longest-first.ts';

// Hundreds of processes run our sources: each file is stripped and compiled once.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'node');

/** These run against one product that all of them share. */
const ON_THE_PRODUCT = [
  'tests/spec/**/*.integration.test.ts',
  'tests/observability/*.integration.test.ts',
  'tools/cellarman/tests/product.integration.test.ts',
];
/** Senders and sinks that are killed and stopped, and bytes of any kind, on a product that these tests share. */
const DEEP_ON_THE_PRODUCT = [
  'tests/spec/**/*.deep.test.ts',
  'tests/observability/*.deep.test.ts',
  'tests/hostile/*.deep.test.ts',
];
const BROWSER = 'tests/browser/*.test.ts';
const INTEGRATION = '{libs,services,tools,clients,tests}/**/*.integration.test.ts';
const DEEP = '{libs,services,tools,clients,tests}/**/*.deep.test.ts';
/** Longer than what a test polls for, so that it can report what it waited for. */
const WITH_ENGINES = {
  ...{ testTimeout: 120_000, hookTimeout: 120_000 },
  // A poll is a query to an engine on a machine that is busy with the tests.
  expect: { poll: { interval: 200 } },
};
const WITH_A_SHARED_PRODUCT = {
  ...WITH_ENGINES,
  isolate: false,
  globalSetup: ['tests/spec/product.ts'],
  // Files that run at the same time disturb each other on the product that they share.
  maxWorkers: 1,
  fileParallelism: false,
};

export default defineConfig({
  test: {
    // Vitest would leave one core to itself, which on two is half of them.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // One second, the default, passes on a busy machine before a process or a page has done anything.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          setupFiles: ['tests/undeclared-errors.ts'],
          include: ['{libs,services,tools,clients,tests}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, INTEGRATION, DEEP, BROWSER],
          // Loading the modules again for each file took as long as the tests.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          setupFiles: ['tests/undeclared-errors.ts', 'tests/cheap-passwords.ts'],
          include: [INTEGRATION],
          exclude: [...configDefaults.exclude, ...ON_THE_PRODUCT],
          sequence: { groupOrder: 1 },
          globalSetup: ['tests/engines.ts'],
          isolate: false,
          ...WITH_ENGINES,
        },
      },
      {
        extends: true,
        test: {
          name: 'product',
          include: [...ON_THE_PRODUCT, BROWSER],
          exclude: [...configDefaults.exclude, DEEP],
          sequence: { groupOrder: 2 },
          ...WITH_A_SHARED_PRODUCT,
        },
      },
      {
        // Fault injection, floods and fuzzing: `npx -y pnpm@12 test:deep`. Most wait for processes, so two run at a time.
        extends: true,
        test: {
          name: 'deep',
          setupFiles: ['tests/undeclared-errors.ts'],
          include: [DEEP],
          exclude: [...configDefaults.exclude, ...DEEP_ON_THE_PRODUCT],
          sequence: { groupOrder: 3 },
          globalSetup: ['tests/engines.ts'],
          ...WITH_ENGINES,
        },
      },
      {
        extends: true,
        test: {
          name: 'deep-product',
          include: DEEP_ON_THE_PRODUCT,
          sequence: { groupOrder: 4 },
          ...WITH_A_SHARED_PRODUCT,
        },
      },
    ],
  },
});
