import type { Mutant } from './support/mutant.ts';

const RETRY = ['packages/client/retry.test.ts'];
const CACHE = ['packages/client/answer-cache.test.ts'];
const REQUEST = ['packages/client/report-request.test.ts'];

export const CLIENT: readonly Mutant[] = [
  {
    name: 'The client ignores the delay that the service asks for.',
    file: 'packages/client/retry.ts',
    find: 'if (retryAfterSeconds !== null) return',
    replace: 'if (retryAfterSeconds === 0) return',
    tests: RETRY,
  },
  {
    name: 'The delay of the client grows without a limit.',
    file: 'packages/client/retry.ts',
    find: 'Math.min(FIRST_BACKOFF_SECONDS * 2 ** retries, MAX_BACKOFF_SECONDS)',
    replace: 'FIRST_BACKOFF_SECONDS * 2 ** retries',
    tests: RETRY,
  },
  {
    name: 'All clients retry at the same time.',
    file: 'packages/client/retry.ts',
    find: '(0.5 + random / 2)',
    replace: '(0.5 + 0.5)',
    tests: RETRY,
  },
  {
    name: 'An answer that was just used is still dropped first.',
    file: 'packages/client/answer-cache.ts',
    find: '      this.#answers.delete(address);\n      this.#answers.set(address, answer);',
    replace: '',
    tests: CACHE,
  },
  {
    name: 'A replaced answer still counts towards the limit.',
    file: 'packages/client/answer-cache.ts',
    find: '    this.#characters -= this.#answers.get(address)?.text.length ?? 0;\n',
    replace: '',
    tests: CACHE,
  },
  {
    name: 'An answer above the limit empties the cache.',
    file: 'packages/client/answer-cache.ts',
    find: '    if (answer.text.length > this.#maxCharacters) return;\n',
    replace: '',
    tests: CACHE,
  },
  {
    name: 'Each attempt of a call may take as long as the whole call.',
    file: 'packages/client/client.ts',
    find: 'endsAt - performance.now(), signal',
    replace: 'this.#maxTotalMilliseconds, signal',
    tests: ['test/integration/client/retries.test.ts'],
    only: 'only the time that the earlier ones left',
  },
  {
    name: 'An id in the path of a request is not percent-encoded.',
    file: 'packages/client/report-request.ts',
    find: '() => encodeURIComponent(String(value))',
    replace: '() => String(value)',
    tests: REQUEST,
  },
  {
    name: 'A parameter without a value is sent as undefined.',
    file: 'packages/client/report-request.ts',
    find: '      .filter((each) => each !== undefined)\n',
    replace: '',
    tests: REQUEST,
  },
  {
    name: 'Each delay leaves a listener on the signal.',
    file: 'packages/client/retry.ts',
    find: "      signal?.removeEventListener('abort', abort);\n",
    replace: '',
    tests: RETRY,
  },
  {
    name: 'An iterator ignores an abort after its first page.',
    file: 'packages/client/client.ts',
    find: 'await this.send(requestOf(page), options)',
    replace: 'await this.send(requestOf(page), page === 1 ? options : undefined)',
    tests: ['test/integration/client/retries.test.ts'],
    only: 'aborted between two pages',
  },
  {
    name: 'The timer of an aborted delay keeps the process alive.',
    file: 'packages/client/retry.ts',
    find: '      clearTimeout(timer);\n',
    replace: '',
    tests: ['packages/client/retry.test.ts'],
  },
  {
    name: 'The client ignores the Retry-After of a response that is not from Milepost.',
    file: 'packages/client/error.ts',
    find: "code: 'unexpected_response', status, retryAfterSeconds }",
    replace: "code: 'unexpected_response', status, retryAfterSeconds: null }",
    tests: ['test/integration/client/retries.test.ts'],
    only: 'obeys the Retry-After of a proxy',
  },
  {
    name: 'The client encodes the id of a driver twice.',
    file: 'packages/client/client.ts',
    find: 'path: { driver_id: driverId },',
    replace: 'path: { driver_id: encodeURIComponent(driverId) },',
    tests: ['test/integration/client/reports.test.ts'],
    only: 'with special characters',
  },
];
