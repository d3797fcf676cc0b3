import { createRequire } from 'node:module';
import { FetchDecoder, type ResponseReader } from './fetch-decoder.ts';
import { nameDeniedTopics } from './fetch-errors.ts';
import { failStoppedFetches } from './stopped-fetches.ts';

const require = createRequire(import.meta.url);

/** The replaced modules of the client (README.md). */
const DECODER = 'kafkajs/src/protocol/requests/fetch/v4/decodeMessages';
const PARSER = 'kafkajs/src/protocol/requests/fetch/v1/response';
const RUNNER = 'kafkajs/src/consumer/runner';

let isPatched = false;

/**
 * Replaces parts of the Kafka client. The process must call this before its first consumer, because the client keeps
 * the modules that it has loaded. Further calls do nothing.
 */
export function patchClient(): void {
  if (isPatched) return;
  isPatched = true;
  const decoder = new FetchDecoder();
  replace(DECODER, async (reader: ResponseReader) => await decoder.decode(reader));
  replace(PARSER, nameDeniedTopics(require(PARSER)));
  failStoppedFetches(require(RUNNER).prototype);
}

function replace(path: string, exports: unknown): void {
  require(path);
  const module = require.cache[require.resolve(path)];
  if (module === undefined) throw new Error(`The Kafka client has no module ${path}: install kafkajs 2.2.`);
  module.exports = exports;
}
