import { describe, expect, it } from 'vitest';
import { tripId } from './arguments.ts';

describe('a trip id on the command line', () => {
  const ID = '0f4a6b1c9d2e8f70a1b2c3d4e5f60718';

  it.each([ID, '0f4a6b1c-9d2e-8f70-a1b2-c3d4e5f60718', ID.toUpperCase()])('can be written as %s', (text) => {
    expect(tripId(text)).toBe(ID);
  });

  it.each(['', ID.slice(1), `${ID}0`, '0f4a-6b1c9d2e8f70a1b2c3d4e5f60718', 'g'.repeat(32)])(
    'is refused when it is %j',
    (text) => {
      expect(() => tripId(text)).toThrow('with or without the dashes');
    },
  );
});
