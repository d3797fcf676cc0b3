import { createRequire } from 'node:module';
import { causesOf } from './errors.ts';

/** The topic to which each error in a fetch response applies. The client's errors do not name it. */
const topics = new WeakMap<object, string>();

/** If an error says that the client may not read a topic, returns this topic; otherwise null. */
export function deniedTopicOf(error: unknown): string | null {
  for (const cause of causesOf(error)) {
    const topic = topics.get(cause);
    if (topic !== undefined) return topic;
  }
  return null;
}

interface FetchResponse {
  responses: readonly { topicName: string; partitions: readonly { errorCode: number }[] }[];
}

const PARSER = 'kafkajs/src/protocol/requests/fetch/v1/response';
/** TOPIC_AUTHORIZATION_FAILED (https://kafka.apache.org/protocol#protocol_error_codes). */
const DENIED = 29;

/**
 * Lets `deniedTopicOf` find the topic of a fetch error. The client throws the first error of a response, and has no
 * option to name the topic. Its module is therefore replaced, like the decoder of batches. This
 * function must be called before the first fetch.
 */
export function installFetchErrors(): void {
  const require = createRequire(import.meta.url);
  const original = require(PARSER);
  const module = require.cache[require.resolve(PARSER)];
  if (module === undefined) throw new Error(`The Kafka client has no module ${PARSER}: install kafkajs 2.2.`);
  const parse = async (response: FetchResponse) => {
    try {
      return await original.parse(response);
    } catch (error) {
      const denied = response.responses.find(({ partitions }) => partitions.some((each) => each.errorCode === DENIED));
      if (denied !== undefined && typeof error === 'object' && error !== null) topics.set(error, denied.topicName);
      throw error;
    }
  };
  module.exports = { ...original, parse };
}
