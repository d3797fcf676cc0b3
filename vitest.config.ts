import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Hundreds of processes load the same files, and compiling them takes half the time of a command.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig({
  test: {
    pool: 'forks',
    // The Kafka client sets timers with a negative delay. They are harmless, but Node 24 prints a warning.
    execArgv: ['--disable-warning=TimeoutNegativeWarning'],
    // This exceeds the number of processors of a small machine by one, because many tests wait for a session to expire
    // or a server to stop.
    maxWorkers: 3,
    reporters: ['default', './test/support/services-reporter.ts'],
    // Vitest's default is one second, in which a process on a busy machine may not even stop.
    expect: { poll: { timeout: 30_000 } },
    // This limit only ends a test that hangs. On a busy machine, thousands of random cases take ten times as long.
    testTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          // A worker loads each module once, and not once for each file. This saves a third of the processor time.
          isolate: false,
          include: ['{packages,apps,deploy}/**/*.test.ts', 'test/architecture/*.test.ts'],
          // In UTC, which most servers use, no test would notice code that depends on the local time zone. These tests
          // run west of UTC, and the integration tests east of it.
          env: { TZ: 'America/St_Johns' },
        },
      },
      {
        extends: true,
        test: {
          name: 'simulation',
          include: ['test/simulation/**/*.test.ts'],
        },
      },
      ...Object.entries({
        integration: 'test/{integration,system}/**/*.test.ts',
        faults: 'test/faults/**/*.test.ts',
        browser: 'test/browser/**/*.test.ts',
      }).map(([name, files]) => ({
        extends: true as const,
        test: {
          name,
          include: [files],
          env: name === 'integration' ? { TZ: 'Asia/Kathmandu' } : {},
          globalSetup: ['test/support/global-setup.ts'],
          hookTimeout: 240_000,
          // The files run one after another, because a browser, a server and a database share two processors, and
          // some tests measure time.
          fileParallelism: name !== 'browser',
        },
      })),
      // These tests start whole stacks of services. Two concurrent stacks would exceed their timeouts.
      ...['campaigns', 'containers', 'field'].map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`test/${name}/**/*.test.ts`],
          fileParallelism: false,
          // Vitest runs projects with different numbers of workers one after another, in this order.
          sequence: { groupOrder: 1 },
          hookTimeout: 600_000,
        },
      })),
    ],
  },
});
