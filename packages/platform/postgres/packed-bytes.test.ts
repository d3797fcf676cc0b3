import { expect, it } from 'vitest';
import { packBytes } from './packed-bytes.ts';

it('packBytes joins the values, and distinguishes empty values from missing values', () => {
  const values = [Buffer.from('one'), null, Buffer.alloc(0), Buffer.from('four')];
  expect(packBytes(values)).toEqual({
    bytes: Buffer.from('onefour'),
    starts: [1, null, 4, 4],
    lengths: [3, null, 0, 4],
  });
  expect(packBytes([])).toEqual({ bytes: Buffer.alloc(0), starts: [], lengths: [] });
});
