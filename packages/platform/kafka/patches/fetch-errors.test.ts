import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { deniedTopicOf } from './fetch-errors.ts';
import { patchClient } from './patch-client.ts';

it('names the topic that a fetch may not read, and no other topic', async () => {
  patchClient();
  const { parse } = createRequire(import.meta.url)('kafkajs/src/protocol/requests/fetch/v1/response');
  const fetched = (...codes: number[]) => ({
    responses: codes.map((errorCode, index) => ({
      topicName: `topic-${index}`,
      partitions: [{ errorCode: 0 }, { errorCode }],
    })),
  });
  const errorOf = async (response: object) => await parse(response).catch((error: unknown) => error);
  expect(await parse(fetched(0, 0))).toEqual(fetched(0, 0));
  const denied: unknown = await errorOf(fetched(0, 29));
  expect(deniedTopicOf(denied)).toBe('topic-1');
  expect(deniedTopicOf(new Error('Retried in vain', { cause: denied }))).toBe('topic-1');
  // Error 3: the broker does not know the topic.
  expect(deniedTopicOf(await errorOf(fetched(0, 3)))).toBeNull();
  expect(deniedTopicOf('a text')).toBeNull();
});
