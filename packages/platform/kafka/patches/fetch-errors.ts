import { causesOf } from '../connection/errors.ts';

/** The topics of the errors in fetch responses, because the client's errors do not name their topics. */
const topics = new WeakMap<object, string>();

/** If an error says that the client is not allowed to read a topic, returns this topic; otherwise null. */
export function deniedTopicOf(error: unknown): string | null {
  const named = causesOf(error).map((cause) => topics.get(cause));
  return named.find((topic) => topic !== undefined) ?? null;
}

interface FetchResponse {
  responses: readonly { topicName: string; partitions: readonly { errorCode: number }[] }[];
}

/** TOPIC_AUTHORIZATION_FAILED (https://kafka.apache.org/protocol#protocol_error_codes). */
const DENIED = 29;

interface Parser {
  parse: (response: FetchResponse) => Promise<unknown>;
}

/** Returns a parser that throws the first error in a response. `deniedTopicOf` can trace this error to a topic. */
export function nameDeniedTopics(original: Parser): Parser {
  const parse = async (response: FetchResponse) => {
    try {
      return await original.parse(response);
    } catch (error) {
      const denied = response.responses.find(({ partitions }) => partitions.some((each) => each.errorCode === DENIED));
      if (denied !== undefined && typeof error === 'object' && error !== null) topics.set(error, denied.topicName);
      throw error;
    }
  };
  return { ...original, parse };
}
