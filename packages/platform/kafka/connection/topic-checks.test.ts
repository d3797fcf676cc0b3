import type { Admin } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { checkTopicConfiguration, readTopicConfiguration } from './topic-checks.ts';

const DAY = 86_400_000;
const GOOD: Parameters<typeof checkTopicConfiguration>[0] = {
  topic: 'trips',
  cleanupPolicy: 'delete',
  retentionMilliseconds: 7 * DAY,
  maxMessageBytes: 1_048_588,
};

const check = (changes: Partial<typeof GOOD>) =>
  checkTopicConfiguration({ ...GOOD, ...changes }).map(({ code, message }) => [code, message]);

describe('the configuration of a topic', () => {
  it.each([{}, { retentionMilliseconds: -1 }, { retentionMilliseconds: DAY }, { maxMessageBytes: 64 * 1024 * 1024 }])(
    'is accepted with %j',
    (changes) => expect(check(changes)).toEqual([]),
  );

  it.each([
    [{ cleanupPolicy: 'compact', retentionMilliseconds: 1 }, ['topic_compacted'], /Set cleanup.policy=delete/],
    [{ cleanupPolicy: 'compact,delete' }, ['topic_compacted'], /has cleanup.policy=compact,delete/],
    [{ retentionMilliseconds: DAY - 1 }, ['topic_retention_short'], /Set retention.ms to 86400000/],
    [{ maxMessageBytes: 64 * 1024 * 1024 + 1 }, ['topic_messages_large'], /Set max.message.bytes to 67108864/],
    [
      { cleanupPolicy: 'delete,compact', retentionMilliseconds: 5 },
      ['topic_compacted', 'topic_retention_short'],
      /trips/,
    ],
  ])('causes a warning with %j', (changes, codes, message) => {
    const found = check(changes);
    expect(found.map(([code]) => code)).toEqual(codes);
    for (const [, text] of found) expect(text).toMatch(/^The topic "trips" has /);
    expect(found.map(([, text]) => text).join(' ')).toMatch(message);
  });

  it.each([
    [{ 'retention.ms': '0', 'max.message.bytes': '7', 'cleanup.policy': 'compact,delete' }, 0, 7, 'compact,delete'],
    [{ 'retention.ms': '-1', 'max.message.bytes': '7', 'cleanup.policy': 'delete' }, -1, 7, 'delete'],
    // A broker omits what the client may not see, so unknown values cause no warning.
    [{}, -1, 0, ''],
  ])(
    'is read from the answer of the broker: %j',
    async (values, retentionMilliseconds, maxMessageBytes, cleanupPolicy) => {
      const asked: unknown[] = [];
      const describeConfigs: Admin['describeConfigs'] = async (query) => {
        asked.push(query);
        const configEntries = Object.entries(values).map(([configName, configValue]) => ({
          ...{ configName, configValue, isDefault: false, configSource: 5, isSensitive: false, readOnly: false },
          configSynonyms: [],
        }));
        const resource = { configEntries, errorCode: 0, errorMessage: '', resourceName: 'trips', resourceType: 2 };
        return { resources: [resource], throttleTime: 0 };
      };
      const configuration = await readTopicConfiguration({ describeConfigs }, 'trips');
      expect(configuration).toEqual({ topic: 'trips', cleanupPolicy, retentionMilliseconds, maxMessageBytes });
      const configNames = ['cleanup.policy', 'retention.ms', 'max.message.bytes'];
      expect(asked).toEqual([{ resources: [{ type: 2, name: 'trips', configNames }], includeSynonyms: false }]);
    },
  );
});
