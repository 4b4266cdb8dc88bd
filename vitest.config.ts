import { defineConfig } from 'vitest/config';

const SPECIFICATION = [
  'tests/spec/**/*.integration.test.ts',
  'tests/observability/*.integration.test.ts',
  'tests/hostile/*.integration.test.ts',
  'tools/cellarman/tests/product.integration.test.ts',
];
const WHOLE_PRODUCT = [
  'tests/faults/**/*.integration.test.ts',
  'tests/contract/tests/trace.integration.test.ts',
  'tests/hostile/fuzz/**/*.integration.test.ts',
  'tests/browser/*.integration.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['tests/undeclared-errors.ts'],
          include: ['{libs,services,tools,tests}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.integration.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // Vitest would leave one core to itself, which on two is half of them.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'integration',
          setupFiles: ['tests/undeclared-errors.ts'],
          include: ['{libs,services,tools,tests}/**/*.integration.test.ts'],
          exclude: ['**/node_modules/**', ...SPECIFICATION, ...WHOLE_PRODUCT],
          sequence: { groupOrder: 1 },
          globalSetup: ['tests/engines.ts'],
          // Longer than what a test polls for, so that it can say what it waited for.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        // One product serves all of them.
        test: {
          name: 'specification',
          include: SPECIFICATION,
          exclude: ['**/node_modules/**'],
          sequence: { groupOrder: 2 },
          globalSetup: ['tests/spec/product.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          fileParallelism: false,
        },
      },
      {
        // These start the whole product; two at a time would only slow each other down.
        test: {
          name: 'product',
          include: WHOLE_PRODUCT,
          exclude: ['**/node_modules/**'],
          sequence: { groupOrder: 3 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          fileParallelism: false,
        },
      },
    ],
  },
});
