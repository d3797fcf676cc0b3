import { expect, it } from 'vitest';
import { parametersJson } from './audit-trail.ts';

it('the audit trail keeps parameters, except for characters that jsonb cannot store', () => {
  const kept = { fleet_id: 'acme', ids: [1, 2], note: 'Zoë 🚚 \\u0041' };
  expect(JSON.parse(parametersJson({ ...kept, 'a\0': 'b\0c', half: '\ud800' }))).toEqual({
    ...kept,
    'a\ufffd': 'b\ufffdc',
    half: '\ufffd',
  });
});

it('the audit trail keeps parameters of up to 8 KiB, counted in bytes', () => {
  // é takes two bytes.
  const kept = { note: `x${'é'.repeat((8_192 - '{"note":"x"}'.length) / 2)}` };
  expect(JSON.parse(parametersJson(kept))).toEqual(kept);
  for (const note of [`${kept.note}x`, '"'.repeat(100_000), '\0'.repeat(100_000)]) {
    const text = parametersJson({ note });
    expect(Buffer.byteLength(text)).toBeLessThan(16_384);
    expect(JSON.parse(text)).toEqual({ truncated: expect.stringMatching(/^\{"note":/) });
  }
});
