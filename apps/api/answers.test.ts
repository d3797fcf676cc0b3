import { describe, expect, it } from 'vitest';
import { matchesTag } from './answers.ts';

describe('If-None-Match', () => {
  it.each(['W/"a"', '"a"', '"x", W/"a"', '"x","a" ', '"x,y", "a"', '"*","a"', '*', ' * '])(
    '%s matches the weak tag a',
    (header) => {
      expect(matchesTag(header, 'W/"a"')).toBe(true);
    },
  );

  it.each([undefined, '', 'a', '"b"', 'W/"A"', '"a', '"a,*,b"', '"*"', '"b", *', '"b,"a",c"', 'W/"b,a"'])(
    '%j does not match the weak tag a',
    (header) => {
      expect(matchesTag(header, 'W/"a"')).toBe(false);
    },
  );
});
