import { defineConfig } from 'vitest/config';

/** A run with one test that starts processes and never ends, for `test/processes/killed-run.test.ts`. */
export default defineConfig({ test: { pool: 'forks', root: import.meta.dirname, include: ['endless.ts'] } });
