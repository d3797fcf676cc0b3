import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnswerCache } from './answer-cache.ts';

const LIMIT = 20;
const anyAddress = fc.constantFrom(...'abcdefgh');
const anyStep = fc.oneof(
  fc.record({ address: anyAddress, size: fc.integer({ min: 0, max: 25 }) }),
  fc.record({ address: anyAddress, size: fc.constant(null) }),
);

it('AnswerCache keeps the responses used last whose total does not exceed the limit, and none above the limit', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 20, maxLength: 40 }), (steps) => {
      const cache = new AnswerCache(LIMIT);
      /** The kept responses, most recently used first. */
      let kept: { address: string; text: string }[] = [];
      for (const [index, { address, size }] of steps.entries()) {
        const known = kept.find((each) => each.address === address);
        const others = kept.filter((each) => each !== known);
        if (size === null) {
          expect(cache.get(address)).toEqual(known && { tag: known.address, text: known.text });
          kept = known ? [known, ...others] : others;
        } else {
          const text = String(index % 10).repeat(size);
          cache.set(address, { tag: address, text });
          kept = size > LIMIT ? others : [{ address, text }, ...others];
          while (kept.map((each) => each.text).join('').length > LIMIT) kept.pop();
        }
      }
    }),
    { numRuns: 2_000 },
  );
});
