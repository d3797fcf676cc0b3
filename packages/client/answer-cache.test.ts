import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnswerCache } from './answer-cache.ts';

const answer = (text: string) => ({ tag: `"${text}"`, text });

it('AnswerCache keeps a response, and replaces it', () => {
  const cache = new AnswerCache(10);
  cache.set('a', answer('one'));
  cache.set('a', answer('other'));
  expect(cache.get('a')).toEqual(answer('other'));
  expect(cache.get('b')).toBeUndefined();
});

it('AnswerCache drops the response that has been unused for the longest time', () => {
  const cache = new AnswerCache(9);
  for (const address of ['a', 'b', 'c']) cache.set(address, answer(`in${address}`));
  cache.get('a');
  cache.set('d', answer('ind'));
  expect(['a', 'b', 'c', 'd'].filter((address) => cache.get(address) !== undefined)).toEqual(['a', 'c', 'd']);
});

it('AnswerCache drops a response that is larger than the limit, and the earlier response for the same address', () => {
  const cache = new AnswerCache(3);
  cache.set('a', answer('one'));
  cache.set('a', answer('three'));
  expect(cache.get('a')).toBeUndefined();
  expect(new AnswerCache(0).get('a')).toBeUndefined();
});

it('AnswerCache keeps all other responses when one is larger than the limit', () => {
  const cache = new AnswerCache(6);
  cache.set('a', answer('one'));
  cache.set('b', answer('two'));
  cache.set('c', answer('longer than the limit'));
  expect(['a', 'b', 'c'].map((address) => cache.get(address)?.text)).toEqual(['one', 'two', undefined]);
});

it('AnswerCache never exceeds the limit, and always keeps the latest response that fits', () => {
  const limit = 20;
  const steps = fc.array(fc.record({ address: fc.constantFrom(...'abcdefgh'), size: fc.integer({ min: 0, max: 25 }) }));
  fc.assert(
    fc.property(steps, (sets) => {
      const cache = new AnswerCache(limit);
      for (const { address, size } of sets) cache.set(address, answer('x'.repeat(size)));
      const kept = [...'abcdefgh'].map((address) => cache.get(address)?.text.length ?? 0);
      expect(kept.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limit);
      const last = sets.at(-1);
      if (last && last.size <= limit) expect(cache.get(last.address)?.text.length).toBe(last.size);
    }),
  );
});
