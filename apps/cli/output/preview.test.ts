import { describe, expect, it } from 'vitest';
import { preview } from './preview.ts';

describe('the preview of a record', () => {
  it('hands no control sequence and no broken UTF-8 to the terminal', () => {
    const shown = preview(Buffer.concat([Buffer.from('{"a":\t"\u001b[31m\r\n'), Buffer.from([0xff, 0x80])]));
    expect(shown).toBe('{"a":\t"\uFFFD[31m\uFFFD\n\uFFFD\uFFFD');
  });

  it('says how much it leaves out', () => {
    expect(preview(Buffer.alloc(5_000, 'x'))).toContain('5000 bytes in all');
  });
});
