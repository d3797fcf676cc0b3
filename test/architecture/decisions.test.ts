import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './sources.ts';

/** About one page. */
const MAX_LINES = 45;
const HEAD = /^# (\d+)\. \S.*\n\nDate: (\d{4}-\d{2}-\d{2})\nStatus: (?:accepted|superseded by ADR (\d+))\n\n/;

const records = globSync('docs/adr/0*.md', { cwd: ROOT })
  .sort()
  .map((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const [, number, date = '', successor] = HEAD.exec(text) ?? [];
    return { file, text, number: Number(number), date, successor };
  });

describe.each(records)('$file', ({ file, text, number, date, successor }) => {
  it('begins with its number, its date and its status', () => {
    expect(text).toMatch(HEAD);
    expect(number).toBe(Number(basename(file).slice(0, 4)));
    expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
    if (successor !== undefined) expect(records.map((record) => record.number)).toContain(Number(successor));
  });

  it.each(['Decision', 'Reason', 'Measured'])('has the part "%s"', (part) => {
    expect(text).toMatch(new RegExp(`^\\*\\*${part}\\.?\\*\\*`, 'm'));
  });

  it('is at most one page long', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  });
});

it('docs/adr/README.md lists every decision by its heading', () => {
  const index = readFileSync(join(ROOT, 'docs/adr/README.md'), 'utf8');
  const rows = Array.from(index.matchAll(/^\| \[(\d+)\]\((.*?)\) \| (.*) \|$/gm), ([, number, file, title = '']) => {
    return `docs/adr/${file}: # ${number}. ${title.replaceAll('**', '')}`;
  });
  expect(rows).toEqual(records.map(({ file, text }) => `${file}: ${text.split('\n')[0]}`));
});
