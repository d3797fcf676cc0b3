import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { driverProfile, tripDeleted, tripProcessed } from '../../../../test/support/records.ts';
import { parseRecord } from './index.ts';
import { RECORD_KINDS, recordSchema } from './published.ts';

const ROOT = '../../../..';
const NOW = Date.UTC(2025, 0, 20);
const examples = [tripProcessed(), tripDeleted(), driverProfile()];

/** The rules that JSON Schema cannot express. */
const BEYOND = ['end_before_start', 'start_in_future'];

function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => [[name], ...pathsOf(child).map((path) => [name, ...path])]);
}

function replaced(record: object, path: readonly string[], value: unknown): object {
  const copy: object = structuredClone(record);
  const parent = path.slice(0, -1).reduce<object>((inner, name) => Object(Reflect.get(inner, name)), copy);
  if (value === undefined) Reflect.deleteProperty(parent, path.at(-1) ?? '');
  else Reflect.set(parent, path.at(-1) ?? '', value);
  return copy;
}

describe('the published schema', () => {
  it.each(RECORD_KINDS)('of %s is the one in docs/schemas (`npx vitest -u` writes it)', async (kind) => {
    const text = `${JSON.stringify(recordSchema(kind), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`${ROOT}/docs/schemas/${kind}.json`);
  });

  it('accepts exactly the records that the parser accepts, and those that break only rules beyond JSON Schema', () => {
    const ajv = new Ajv2020({ allErrors: false });
    const schemas = new Map(RECORD_KINDS.map((kind) => [String(kind), ajv.compile(recordSchema(kind))]));
    const odd = fc.constantFrom(
      undefined,
      null,
      0,
      -1,
      1,
      0.5,
      '',
      'a',
      '.',
      '..',
      '...',
      'a\u0000',
      '\ud800',
      '\u0085',
      '😀'.repeat(257),
      181,
      {},
      [],
      1e12,
      '7',
      'HARD_BRAKE',
      9,
    );
    const changed = fc.constantFrom(...examples).chain((record) =>
      fc
        .tuple(fc.constantFrom(...pathsOf(record)), fc.oneof(odd, fc.jsonValue({ stringUnit: 'binary' })))
        .filter(([path]) => path.join() !== 'kind')
        .map(([path, value]) => ({ kind: record.kind, text: JSON.stringify(replaced(record, path, value)) })),
    );
    fc.assert(
      fc.property(changed, ({ kind, text }) => {
        const parsed = parseRecord(Buffer.from(text), NOW);
        const isRight = schemas.get(kind)?.(JSON.parse(text));
        expect(isRight).toBe(parsed.ok || BEYOND.includes(parsed.reason));
      }),
      { numRuns: 3000 },
    );
  });
});
