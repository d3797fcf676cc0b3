import { expect, it } from 'vitest';
import { bytesOf, hexLines, rangeInBytes, rangeOfField, textOf } from './bytes.ts';

const TEXT = '{"name": "Zoë", "events": [{"event_type": 7}, {"event_type": null}], "a/b": 1, "c~1d": 2, "~": 3}';

function marked(text: string, path: string): string | null {
  const range = rangeOfField(text, path);
  return range && text.slice(range.from, range.to);
}

it.each([
  ['/name', '"name": "Zoë"'],
  ['/events/1/event_type', '"event_type": null'],
  ['/events/1', '{"event_type": null}'],
  ['/a~1b', '"a/b": 1'],
  ['/c~01d', '"c~1d": 2'],
  ['/~0', '"~": 3'],
  // The nearest parent of a missing field.
  ['/events/1/event_name', '{"event_type": null}'],
  ['/events/7/event_type', '"events": [{"event_type": 7}, {"event_type": null}]'],
  // These paths name no field.
  ['/nothing', null],
  ['', null],
])('rangeOfField finds the field "%s" with its name: %s', (path, expected) => {
  expect(marked(TEXT, path)).toBe(expected);
});

it('rangeOfField finds a field in truncated JSON, but nothing in other text', () => {
  expect(marked('{"trip_start_time": "x", "rest', '/trip_start_time')).toBe('"trip_start_time": "x"');
  expect(marked('', '/name')).toBeNull();
  expect(marked('\u0000\u0001', '/name')).toBeNull();
});

it.each([
  ['/events/0/event_type', '"event_type": 7'],
  ['/name', '"name": "Zoë"'],
])('rangeInBytes converts the text range of %s to a byte range', (path, expected) => {
  const bytes = new TextEncoder().encode(TEXT);
  const range = rangeOfField(TEXT, path);
  if (range === null) throw new Error('The field was not found.');
  const found = rangeInBytes(bytes, textOf(bytes), range);
  expect(found && textOf(bytes.slice(found.from, found.to))).toBe(expected);
});

it('rangeInBytes returns null for bytes that are not valid UTF-8', () => {
  const bytes = Uint8Array.from([0x7b, 0xff, 0x7d]);
  expect(rangeInBytes(bytes, textOf(bytes), { from: 1, to: 2 })).toBeNull();
});

it('hexLines shows sixteen bytes per line', () => {
  const bytes = bytesOf(btoa('0123456789abcdef\n!'));
  const lines = hexLines(bytes, { from: 15, to: 17 }, 0, 10);
  expect(lines.map(({ offset, text }) => [offset, text])).toEqual([
    ['000000', '0123456789abcdef'],
    ['000010', '.!'],
  ]);
  expect(lines.map((line) => line.bytes.filter(({ isMarked }) => isMarked).map(({ hex }) => hex))).toEqual([
    ['66'],
    ['0a'],
  ]);
  expect(hexLines(bytes, null, 16, 10)).toHaveLength(1);
  expect(hexLines(bytes, null, 0, 1)).toHaveLength(1);
});
