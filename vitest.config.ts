import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Hundreds of processes load the same files: compiling them is half of what a command costs.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig({
  test: {
    pool: 'forks',
    // A timer of the Kafka client that is due already; Node 24 warns about it, and nothing is wrong.
    execArgv: ['--disable-warning=TimeoutNegativeWarning'],
    // One more than the processors of a small machine: many tests wait, for a session to run out or a server to stop.
    maxWorkers: 3,
    reporters: ['default', './test/support/services-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['{packages,apps,deploy}/**/*.test.ts', 'test/architecture/*.test.ts'],
          // Nothing here is about time: thousands of random cases take ten times as long on a busy machine.
          testTimeout: 60_000,
        },
      },
      ...Object.entries({
        integration: 'test/{integration,system,faults}/**/*.test.ts',
        browser: 'test/browser/**/*.test.ts',
      }).map(([name, files]) => ({
        extends: true as const,
        test: {
          name,
          include: [files],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 240_000,
          // A browser, a server and a database share two processors, and first views are timed.
          fileParallelism: name !== 'browser',
        },
      })),
      // These bring the services that they need: whole stacks, whose limits of time two at once would pass.
      ...['campaigns', 'containers'].map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`test/${name}/**/*.test.ts`],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 600_000,
        },
      })),
    ],
  },
});
