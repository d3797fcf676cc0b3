import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './sources.ts';

const MAX_WORDS = 400;
const HEAD = /^# (\d+)\. \S.*\n\nDate: (\d{4}-\d{2}-\d{2})\nStatus: (?:accepted|superseded by ADR (\d+))\n\n/;

const decisions = globSync('docs/adr/0*.md', { cwd: ROOT })
  .sort()
  .map((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const [, number, date = '', successor] = HEAD.exec(text) ?? [];
    return { file, text, number: Number(number), date, successor };
  });

it.each(decisions)('$file is a page with number, date and status, and its four parts in order', (decision) => {
  const { file, text, number, date, successor } = decision;
  expect(text).toMatch(HEAD);
  expect(number).toBe(Number(basename(file).slice(0, 4)));
  expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
  if (successor !== undefined) expect(decisions.map((other) => other.number)).toContain(Number(successor));
  const parts = Array.from(text.matchAll(/^\*\*(Context|Decision|Cost|Measured)\b/gm), ([, part]) => part);
  expect(parts).toEqual(['Context', 'Decision', 'Cost', 'Measured']);
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS);
});

it('docs/adr/README.md lists every decision by its heading', () => {
  const index = readFileSync(join(ROOT, 'docs/adr/README.md'), 'utf8');
  const rows = Array.from(index.matchAll(/^\| \[(\d+)\]\((.*?)\) \| (.*) \|$/gm), ([, number, file, title]) => {
    return `docs/adr/${file}: # ${number}. ${title}`;
  });
  expect(rows).toEqual(decisions.map(({ file, text }) => `${file}: ${text.split('\n')[0]}`));
});

it('comments mention only decisions that exist', () => {
  const files = globSync('{apps,deploy,packages}/**/*.ts', { cwd: ROOT, exclude: ['**/node_modules'] });
  const mentioned = files.flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(/docs\/adr\/\d{4}/g) ?? []);
  expect(mentioned).not.toEqual([]);
  expect(decisions.map(({ file }) => file.slice(0, 'docs/adr/0000'.length))).toEqual(expect.arrayContaining(mentioned));
});
