import { describe, expect, it } from 'vitest';
import { parametersJson } from './audit-trail.ts';

describe('the parameters in the audit trail', () => {
  it('are kept unchanged', () => {
    const parameters = { fleet_id: 'acme', ids: [1, 2], note: 'Zoë 🚚 \\u0041' };
    expect(JSON.parse(parametersJson(parameters))).toEqual(parameters);
  });

  it('have a replacement character for each character that jsonb cannot store', () => {
    expect(JSON.parse(parametersJson({ 'a\0': 'b\0c', half: '\ud800', whole: '😀' }))).toEqual({
      'a\ufffd': 'b\ufffdc',
      half: '\ufffd',
      whole: '😀',
    });
  });

  it('are kept up to a size of 8 KiB, in bytes', () => {
    // é takes two bytes.
    const kept = { note: `x${'é'.repeat((8_192 - '{"note":"x"}'.length) / 2)}` };
    expect(Buffer.byteLength(JSON.stringify(kept))).toBe(8_192);
    expect(JSON.parse(parametersJson(kept))).toEqual(kept);
    expect(JSON.parse(parametersJson({ note: `${kept.note}x` }))).toHaveProperty('truncated');
  });

  it.each(['x', '"', '😀', '\0'])('are truncated when they are long (%j)', (character) => {
    const text = parametersJson({ note: character.repeat(100_000) });
    expect(Buffer.byteLength(text)).toBeLessThan(16_384);
    expect(JSON.parse(text)).toEqual({ truncated: expect.stringMatching(/^\{"note":/) });
  });
});
