import { expect, it, vi } from 'vitest';
import xxhash from 'xxhash-wasm';
import { compressOnce } from './compression.ts';

const { h64Raw } = await xxhash();

const BODY = Buffer.from('{"fleet":"one"} ');
const SAME_HASH = Buffer.from('7b22636f756e7422bdd92ce6530aea80', 'hex');

function recordCalls() {
  const compress = vi.fn((body: Buffer, _options: object) => Buffer.from(body));
  return { compress, once: compressOnce(compress) };
}

it('a compressed body is computed once for equal bodies', () => {
  const { compress, once } = recordCalls();
  expect(once(Buffer.from(BODY), {})).toBe(once(Buffer.from(BODY), {}));
  expect(compress).toHaveBeenCalledOnce();
});

it('a compressed body is never that of a different body with the same hash', () => {
  expect(h64Raw(SAME_HASH)).toBe(h64Raw(BODY));
  const { once } = recordCalls();
  once(BODY, {});
  expect(once(SAME_HASH, {})).toEqual(SAME_HASH);
  expect(once(BODY, {})).toEqual(BODY);
});
