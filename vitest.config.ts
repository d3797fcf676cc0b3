import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Tests start processes that load the same files, and compiling them takes half the time of a command. The workers of
// Vitest do not use this cache.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

interface Group {
  name: string;
  include: string[];
  /** The time zone. In UTC, which most servers use, no test would notice code that depends on the local time zone. */
  TZ?: string;
  /** False for tests that measure time, or start whole stacks of services: two stacks would exceed their time limits. */
  fileParallelism?: boolean;
}

const WITH_SERVICES = (name: string, more: Partial<Group> = {}): Group => ({
  name,
  include: [`test/${name}/**/*.test.ts`],
  ...more,
});

const project = ({ name, include, TZ, ...more }: Group, services: boolean) => ({
  extends: true as const,
  test: {
    name,
    include,
    ...(TZ === undefined ? {} : { env: { TZ } }),
    ...more,
    ...(services
      ? {
          globalSetup: ['test/support/global-setup.ts'],
          setupFiles: ['test/support/kafka-client.ts'],
          hookTimeout: 240_000,
        }
      : {}),
  },
});

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
      project(
        {
          name: 'pure',
          include: ['{packages,apps,deploy}/**/*.test.ts', 'test/architecture/*.test.ts'],
          TZ: 'America/St_Johns',
        },
        false,
      ),
      project(WITH_SERVICES('simulation'), false),
      ...[
        WITH_SERVICES('integration', { TZ: 'Asia/Kathmandu' }),
        WITH_SERVICES('smoke'),
        WITH_SERVICES('processes'),
        WITH_SERVICES('faults'),
        WITH_SERVICES('browser'),
      ].map((group) => project(group, true)),
      ...['timed', 'containers', 'nightly'].map((name) => {
        const group = project(WITH_SERVICES(name, { fileParallelism: false }), name !== 'containers');
        // Vitest runs projects with different numbers of workers one after another, in this order.
        return { ...group, test: { ...group.test, sequence: { groupOrder: 1 }, hookTimeout: 600_000 } };
      }),
    ],
  },
});
