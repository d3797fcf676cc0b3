import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

// Tests start processes that load the same files, and compiling them takes half the time of a command. The workers of
// Vitest do not use this cache.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** A project with the files of a folder of tests. */
const project = (name: string, more: TestProjectInlineConfiguration['test'] = {}): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include: [`test/${name}/**/*.test.ts`], ...more },
});

const WITH_SERVICES = {
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/kafka-client.ts'],
  hookTimeout: 240_000,
};

/**
 * Tests that measure time, or start whole stacks of services, run one file after another: two stacks would exceed their
 * time limits. Vitest runs projects with different numbers of workers in the order of their groups.
 */
const ALONE = { fileParallelism: false, sequence: { groupOrder: 1 }, hookTimeout: 600_000 };

export default defineConfig({
  test: {
    pool: 'forks',
    // A worker loads each module once, and not once for each file. This saves half the processor time.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
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
      // Most servers use UTC, in which no test would notice code that depends on the local time zone.
      project('pure', {
        include: ['{packages,apps,deploy}/**/*.test.ts', 'test/architecture/*.test.ts'],
        env: { TZ: 'America/St_Johns' },
      }),
      project('simulation'),
      project('integration', { ...WITH_SERVICES, env: { TZ: 'Asia/Kathmandu' } }),
      ...['smoke', 'processes', 'faults', 'browser'].map((name) => project(name, WITH_SERVICES)),
      ...['timed', 'nightly'].map((name) => project(name, { ...WITH_SERVICES, ...ALONE })),
      project('containers', ALONE),
    ],
  },
});
