import { expect, it, vi } from 'vitest';
import { prepareTopics } from './topics.ts';

it('a new topic is awaited for at most fifteen seconds when the brokers find no leader for it', async () => {
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => passed);
  const noLeader = Object.assign(new Error('There is no leader'), { type: 'LEADER_NOT_AVAILABLE' });
  let requests = 0;
  const admin = {
    listTopics: async () => [],
    createTopics: async () => true,
    // Each response takes six seconds. The tenth one says that the topic has a leader.
    fetchTopicMetadata: async () => {
      requests += 1;
      passed += 6_000;
      if (requests < 10) throw noLeader;
      return { topics: [] };
    },
  };
  await expect(prepareTopics(admin, ['trips'], 'The client', 'READ')).rejects.toThrow(noLeader);
  expect(requests).toBe(3);
});
