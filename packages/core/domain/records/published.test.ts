import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changed, pointersOf } from '../../../../test/support/change-field.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../../../test/support/records.ts';
import { parseRecord } from './parse.ts';
import { RECORD_KINDS, recordSchema } from './published.ts';

const ROOT = '../../../..';
const NOW = Date.UTC(2025, 0, 20);
const examples = [tripProcessed(), tripDeleted(), driverProfile()];

/** The rules that JSON Schema cannot express. */
const BEYOND = ['end_before_start', 'start_in_future'];

describe('the published schema', () => {
  it.each(RECORD_KINDS)('of %s is the one in docs/schemas (`npx vitest -u` writes it)', async (kind) => {
    const text = `${JSON.stringify(recordSchema(kind), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`${ROOT}/docs/schemas/${kind}.json`);
  });

  it('accepts exactly the records that the parser accepts, and those that break only rules beyond JSON Schema', () => {
    const ajv = new Ajv2020({ allErrors: false });
    const schemas = new Map(RECORD_KINDS.map((kind) => [String(kind), ajv.compile(recordSchema(kind))]));
    const odd = fc.constantFrom(
      ...[undefined, null, {}, [], '7', 'HARD_BRAKE', '😀'.repeat(257)],
      ...[0, -1, 1, 0.5, 9, 181, 1e12],
      ...['', 'a', '.', '..', '...', 'a\u0000', '\ud800', '\u0085'],
    );
    const records = fc.constantFrom(...examples).chain((record) =>
      fc
        .tuple(fc.constantFrom(...pointersOf(record)), fc.oneof(odd, fc.jsonValue({ stringUnit: 'binary' })))
        .filter(([pointer]) => pointer !== '/kind')
        .map(([pointer, value]) => ({ kind: record.kind, text: JSON.stringify(changed(record, pointer, value)) })),
    );
    fc.assert(
      fc.property(records, ({ kind, text }) => {
        const parsed = parseRecord(Buffer.from(text), NOW);
        const isRight = schemas.get(kind)?.(JSON.parse(text));
        expect(isRight).toBe(parsed.ok || BEYOND.includes(parsed.reason));
      }),
      { numRuns: 3000 },
    );
  });
});
