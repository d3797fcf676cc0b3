import { expect, it } from 'vitest';
import { checkTopicConfiguration } from './topic-checks.ts';

const DAY = 86_400_000;
const GOOD: Parameters<typeof checkTopicConfiguration>[0] = {
  topic: 'trips',
  cleanupPolicy: 'delete',
  retentionMilliseconds: 7 * DAY,
  maxMessageBytes: 1_048_588,
};

const check = (changes: Partial<typeof GOOD>) =>
  checkTopicConfiguration({ ...GOOD, ...changes }).map(({ code, message }) => [code, message]);

it.each([{}, { retentionMilliseconds: -1 }, { retentionMilliseconds: DAY }, { maxMessageBytes: 64 * 1024 * 1024 }])(
  'the configuration of a topic is accepted with %j',
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
])('the configuration of a topic causes a warning with %j', (changes, codes, message) => {
  const found = check(changes);
  expect(found.map(([code]) => code)).toEqual(codes);
  for (const [, text] of found) expect(text).toMatch(/^Topic "trips" has /);
  expect(found.map(([, text]) => text).join(' ')).toMatch(message);
});
