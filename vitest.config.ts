import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

// Tests start processes that load the same files, and compiling the files takes half of a command's time. Vitest's
// workers do not use this cache.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** A project with the tests in one folder. */
const project = (name: string, more: TestProjectInlineConfiguration['test'] = {}): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include: [`test/${name}/**/*.test.ts`], ...more },
});

const WITH_SERVICES = {
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/kafka-client.ts', 'test/support/unstub-environment.ts'],
  hookTimeout: 240_000,
};

/** Time to build a stack's image and to start its services. */
const STACK = { hookTimeout: 600_000 };

/**
 * Tests that measure time, or start several stacks of services, run one file after another, because two stacks would
 * exceed their time limits. Vitest runs projects with different numbers of workers in the order of their groups.
 */
const ALONE = { ...STACK, fileParallelism: false, sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    pool: 'forks',
    // A worker loads each module once rather than once for each file, which saves half the processor time.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // The Kafka client sets timers with a negative delay. These timers are harmless, but Node 24 prints a warning.
    execArgv: ['--disable-warning=TimeoutNegativeWarning'],
    // One more than the number of processors in a small machine, because many tests wait for a session to expire or a
    // server to stop.
    maxWorkers: 3,
    reporters: ['default', './test/support/services-reporter.ts'],
    // Vitest's default is one second. This limit is so long that no test fails because a machine is slow: tests reach
    // it only if a condition never becomes true. With mutants, many conditions never become true, so the limit is
    // shorter. Tests that check a time set their own limit.
    expect: { poll: { timeout: process.env['MUTANTS_REPORT'] === undefined ? 120_000 : 60_000 } },
    // This limit only ends a test that hangs. On a busy machine, thousands of random cases take ten times as long.
    testTimeout: 300_000,
    projects: [
      // Most servers use UTC, but with UTC no test would notice code that depends on the local time zone.
      project('pure', {
        include: ['{packages,apps,deploy}/**/*.test.ts', 'test/architecture/*.test.ts'],
        env: { TZ: 'America/St_Johns' },
      }),
      project('simulation'),
      project('integration', { ...WITH_SERVICES, env: { TZ: 'Asia/Kathmandu' } }),
      ...['smoke', 'processes', 'faults', 'browser'].map((name) => project(name, WITH_SERVICES)),
      ...['timed', 'nightly'].map((name) => project(name, { ...WITH_SERVICES, ...ALONE })),
      project('containers', STACK),
    ],
  },
});
