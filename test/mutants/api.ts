import type { Mutant } from './support/mutant.ts';

const AUTHENTICATION = ['test/integration/api/authentication.test.ts'];
const STANDBY = ['test/field/standby.test.ts'];
const RATE_LIMIT = ['test/integration/api/rate-limit.test.ts'];

/** Mutants of the API and the operators' API, which need PostgreSQL. */
export const API: readonly Mutant[] = [
  {
    name: 'A key is cached for a minute after its revocation.',
    file: 'apps/api/plugins/authentication.ts',
    find: 'const FRESH_MILLISECONDS = 3_000;',
    replace: 'const FRESH_MILLISECONDS = 60_000;',
    tests: AUTHENTICATION,
  },
  {
    name: 'The scheme of the header is case-sensitive.',
    file: 'apps/api/plugins/authentication.ts',
    find: '/^APIKEY +([^\\s]+)$/i',
    replace: '/^APIKEY +([^\\s]+)$/',
    tests: AUTHENTICATION,
  },
  {
    name: 'The window of the rate limit never ends.',
    file: 'packages/http/rate-limit.ts',
    find: 'if (endsAt > now && this.#windows.size <= MAX_CALLERS) break;',
    replace: 'if (endsAt > 0 && this.#windows.size <= MAX_CALLERS) break;',
    tests: RATE_LIMIT,
  },
  {
    name: 'The number of counted callers has no limit.',
    file: 'packages/http/rate-limit.ts',
    find: 'if (endsAt > now && this.#windows.size <= MAX_CALLERS) break;',
    replace: 'if (endsAt > now) break;',
    tests: ['packages/http/rate-limit.test.ts'],
  },
  {
    name: 'A Redis outage refuses requests.',
    file: 'packages/http/rate-limit.ts',
    find: 'skipOnError: true',
    replace: 'skipOnError: false',
    tests: RATE_LIMIT,
  },
  {
    name: 'One source without a heartbeat makes the process unready.',
    file: 'packages/status/readiness.ts',
    find: 'now() - max(held_at)',
    replace: 'now() - min(held_at)',
    tests: ['test/integration/ops/readiness.test.ts'],
  },
  {
    name: 'An answer from a standby does not count the delay of the standby.',
    file: 'apps/api/lane-reader.ts',
    find: 'Math.max(Number(result.lag_seconds), delaySeconds)',
    replace: 'Number(result.lag_seconds)',
    tests: STANDBY,
    only: 'gives no answer that is older than it says',
  },
  {
    name: 'A paused standby counts as one that has replayed everything.',
    file: 'packages/postgres/standby.ts',
    find: 'written <= replayed',
    replace: 'written > 0 && replayed > 0',
    tests: STANDBY,
    only: 'gives no answer that is older than it says',
  },
  {
    name: 'A standby of another primary is used.',
    file: 'packages/postgres/standby.ts',
    find: 'standby.system !== this.#system',
    replace: "standby.system === ''",
    tests: STANDBY,
    only: 'reads neither from a primary nor from the standby of another primary',
  },
  {
    name: 'A standby is used, however far behind it is.',
    file: 'packages/postgres/standby.ts',
    find: 'if (at - freshAt > this.#maxDelayMilliseconds)',
    replace: 'if (Number.isNaN(at - freshAt))',
    tests: STANDBY,
    only: 'reads from the primary while the standby is too far behind',
  },
  {
    name: 'Requests wait for a query that hangs on the standby.',
    file: 'packages/postgres/standby.ts',
    find: 'for (const stop of this.#stopReading) stop(fault);',
    replace: 'this.#stopReading.clear();',
    tests: STANDBY,
    only: 'uses the primary for requests that wait for a hanging standby',
  },
  {
    name: 'A query that fails on the standby is not repeated on the primary.',
    file: 'packages/postgres/standby.ts',
    find: '} catch {\n      return null;',
    replace: '} catch (error) {\n      throw error;',
    tests: STANDBY,
    only: 'uses the primary for requests that wait for a hanging standby',
  },
  {
    name: 'After a line with a count, each failed request gets a line of its own.',
    file: 'packages/http/log-sparsely.ts',
    find: '    startCount(problem);\n  }\n\n  return',
    replace: '  }\n\n  return',
    tests: ['packages/http/log-sparsely.test.ts'],
  },
  {
    name: 'The uses of keys are lost when the directory does not answer.',
    file: 'apps/api/plugins/key-uses.ts',
    find: '.catch(() => this.#unwritten.unshift(...uses));',
    replace: '.catch(() => {});',
    tests: ['test/integration/api/authentication.test.ts'],
  },
  {
    name: 'A request does not make its unauthenticated connection the newest one.',
    file: 'packages/http/connection-limits.ts',
    find: '    if (unauthenticatedSockets.delete(socket)) unauthenticatedSockets.add(socket);\n',
    replace: '',
    tests: ['test/integration/connection-limits.test.ts'],
  },
  {
    name: 'A waiting request whose consumer has disconnected takes a turn.',
    file: 'packages/http/overload.ts',
    find: '      if (next.reply.raw.destroyed) continue;\n',
    replace: '',
    tests: ['test/integration/overload.test.ts'],
  },
];
