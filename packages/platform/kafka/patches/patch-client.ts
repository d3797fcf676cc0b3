import { createRequire } from 'node:module';
import { FetchDecoder, type ResponseReader } from './fetch-decoder.ts';
import { nameDeniedTopics } from './fetch-errors.ts';

const require = createRequire(import.meta.url);

/** The replaced modules of the client (README.md). */
const DECODER = 'kafkajs/src/protocol/requests/fetch/v4/decodeMessages';
const PARSER = 'kafkajs/src/protocol/requests/fetch/v1/response';
const RUNNER = 'kafkajs/src/consumer/runner';

/** The part of the Kafka client that repeats a consumer's fetches. */
interface Runner {
  running: boolean;
  fetch: (nodeId: number) => Promise<unknown>;
}

/** Makes each fetch by a stopped consumer fail. The client itself would immediately return an empty result. */
function patchFetches(runner: Runner): void {
  const { fetch } = runner;
  if (typeof fetch !== 'function') throw new Error("The Kafka client's runner has no fetch: install kafkajs 2.2.");
  runner.fetch = async function (nodeId) {
    if (!this.running) throw new Error('The consumer is stopped.');
    return await fetch.call(this, nodeId);
  };
}

let isPatched = false;

/**
 * Replaces parts of the Kafka client. The process must call this before its first consumer, because the client keeps
 * the modules that it has loaded. Later calls do nothing.
 */
export function patchClient(): void {
  if (isPatched) return;
  isPatched = true;
  const decoder = new FetchDecoder();
  replace(DECODER, async (reader: ResponseReader) => await decoder.decode(reader));
  replace(PARSER, nameDeniedTopics(require(PARSER)));
  patchFetches(require(RUNNER).prototype);
}

function replace(path: string, exports: unknown): void {
  require(path);
  const module = require.cache[require.resolve(path)];
  if (module === undefined) throw new Error(`The Kafka client has no module ${path}: install kafkajs 2.2.`);
  module.exports = exports;
}
