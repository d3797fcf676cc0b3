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

  const ajv = new Ajv2020({ allErrors: true });
  const schemas = new Map(RECORD_KINDS.map((kind) => [String(kind), ajv.compile(recordSchema(kind))]));

  /** Compares the schema's errors with the parser's result for a record with another value at a pointer. */
  function expectSame(record: (typeof examples)[number], pointer: string, value: unknown): void {
    const text = JSON.stringify(changed(record, pointer, value));
    const parsed = parseRecord(Buffer.from(text), NOW);
    const check = schemas.get(record.kind);
    const isRight = check?.(JSON.parse(text));
    if (parsed.ok || BEYOND.includes(parsed.reason)) {
      expect(isRight, text).toBe(true);
      return;
    }
    const faults = (check?.errors ?? []).map(({ keyword, instancePath, params }) =>
      keyword === 'required'
        ? `missing_field ${instancePath}/${params['missingProperty']}`
        : `invalid_field ${instancePath}`,
    );
    expect(faults, text).toContain(`${parsed.reason} ${parsed.field}`);
    expect(parsed.message).not.toMatch(/\p{Cc}|\p{Cs}/u);
    expect(parsed.message.length).toBeLessThan(400);
    expect(parsed.message).toMatch(
      parsed.reason === 'missing_field' ? /./ : new RegExp(`^The field ${parsed.field} must be .+, but is .+\\.$`, 'u'),
    );
  }

  it.each(examples)(
    'has the faults that the parser finds, and no others, with an odd value in any field: $kind',
    (record) => {
      const odd: unknown[] = [
        ...[undefined, null, true, {}, { toString: 0 }, [], [[]], [null]],
        ...['7', 'HARD_BRAKE', 'PHONE_USE', 'hard_brake', 'none', '', 'a', 'a b', 'a/b', '.', '..', '...', '. .'],
        ...['a\n', 'a\0', 'a\tb', '\u007f', '\u0085', '\ud800', 'a\udc00b'],
        ...[0, -0, -1, 1, 3, 4, 9, 0.5, 1.5, -1e-300],
        ...[90, -90, 180, -180, 90.000001, -90.000001, 180.000001, -180.000001],
        ...[1e12 - 1, 1e12, 1e13 - 1, 1e13, NOW, NOW + 0.5, 2 ** 53 - 1, 2 ** 53, Number.MAX_VALUE],
        ...[64, 65, 128, 129, 256, 257].flatMap((length) => ['a'.repeat(length), '🚚'.repeat(length)]),
      ];
      for (const pointer of pointersOf(record).filter((each) => each !== '/kind')) {
        for (const value of odd) expectSame(record, pointer, value);
      }
    },
  );

  it('has the faults that the parser finds, and no others, with any value in a field', () => {
    const changes = fc.constantFrom(...examples).chain((record) => {
      const pointers = pointersOf(record).filter((pointer) => pointer !== '/kind');
      return fc.tuple(fc.constant(record), fc.constantFrom(...pointers), fc.jsonValue({ stringUnit: 'binary' }));
    });
    fc.assert(
      fc.property(changes, (change) => expectSame(...change)),
      { numRuns: 2000 },
    );
  });
});
