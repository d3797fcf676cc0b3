import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from '../mutants/all.ts';
import { type Mutant, plant, projectOf } from '../mutants/support/mutant.ts';
import { judge } from '../mutants/support/run-tests.ts';
import { allOf, dailyOf, dayOfYear, namedBy } from '../mutants/support/select.ts';
import { ROOT } from './sources.ts';

const mutants = allOf(MUTANTS);
const SAMPLE: Mutant = {
  name: 'A day has 23 hours.',
  file: 'day.ts',
  find: '24',
  replace: '23',
  tests: ['day.test.ts'],
};

describe('the mutants', () => {
  it.each(mutants)('apply to the present code: $area, $name', (mutant) => {
    const text = readFileSync(join(ROOT, mutant.file), 'utf8');
    expect(plant(mutant, text)).not.toBe(text);
  });

  it('name only existing test files, each in exactly one project', () => {
    const missing = mutants.flatMap(({ tests }) => tests).filter((file) => !existsSync(join(ROOT, file)));
    expect(missing).toEqual([]);
    const projects = mutants.map(({ tests }) => new Set(tests.map((file) => projectOf({ tests: [file] }))).size);
    expect(new Set(projects)).toEqual(new Set([1]));
  });

  it('select only existing tests', () => {
    const missing = mutants.filter(({ tests, only }) => {
      const texts = tests.map((file) => readFileSync(join(ROOT, file), 'utf8'));
      return only !== undefined && !texts.some((text) => new RegExp(only).test(text));
    });
    expect(missing).toEqual([]);
  });

  it('have unique names, and each name is a sentence', () => {
    const names = mutants.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(names.filter((name) => !/^[A-Z].*\.$/.test(name))).toEqual([]);
  });
});

describe('plant', () => {
  it('changes only the text to find, even if the replacement contains a pattern such as $&', () => {
    expect(plant({ ...SAMPLE, replace: '$&' }, 'hours = 24;')).toBe('hours = $&;');
  });

  it.each([
    ['the text to find is missing', 'hours = 25;', {}, /occurs 0 times in day.ts, but must occur once: 24/],
    ['the text to find occurs twice', '24 and 24', {}, /occurs 2 times/],
    ['the replacement changes nothing', 'hours = 24;', { replace: '24' }, /must differ/],
  ])('refuses a mutant when %s', (_reason, text, change, message) => {
    expect(() => plant({ ...SAMPLE, ...change }, text)).toThrow(message);
  });
});

describe('judge', () => {
  const timeLimit = 'a trip is stored: Test timed out in 5000ms.';

  it.each([
    ['killed', 'a test fails', { passed: 1, failures: ['a trip is stored: expected 1 to be 2'], broken: [] }],
    ['killed', 'an assertion fails after a time limit', { passed: 0, failures: [timeLimit, 'other: 1'], broken: [] }],
    ['timed out', 'only a time limit fails', { passed: 3, failures: [timeLimit], broken: ['Closing failed'] }],
    ['timed out', 'a hook exceeds its limit', { passed: 0, failures: ['Hook timed out in 10ms.'], broken: [] }],
    ['timed out', 'the run was ended', null],
    ['broken', 'a file does not load', { passed: 1, failures: [], broken: ['Unexpected token'] }],
    ['broken', 'no test ran', { passed: 0, failures: [], broken: [] }],
    ['survived', 'all tests pass', { passed: 1, failures: [], broken: [] }],
  ] as const)('returns "%s" when %s', (outcome, _reason, report) => {
    const copied = report && { ...report, failures: [...report.failures], broken: [...report.broken] };
    expect(judge(copied).outcome).toBe(outcome);
  });
});

describe('the mutant selection', () => {
  it('picks at most ten a day and, over successive days, picks each mutant once', () => {
    const days = Math.ceil(mutants.length / 10);
    const selected = Array.from({ length: days }, (_, index) => dailyOf(mutants, 360 + index));
    expect(Math.max(...selected.map(({ length }) => length))).toBeLessThanOrEqual(10);
    expect(new Set(selected.flat())).toEqual(new Set(mutants));
    expect(selected.flat()).toHaveLength(mutants.length);
  });

  it.each([
    ['2025-01-01T00:00:00Z', 1],
    ['2024-12-31T23:59:59.999Z', 366],
  ])('counts %s as day %d of its year', (time, day) => {
    expect(dayOfYear(new Date(time))).toBe(day);
  });

  it("accepts a whole area, or a part of a mutant's name", () => {
    const two = allOf({ days: [SAMPLE], weeks: [{ ...SAMPLE, name: 'A week has 6 days.' }] });
    expect(namedBy(two, ['days']).map(({ area }) => area)).toEqual(['days', 'weeks']);
    expect(namedBy(two, ['weeks', '23']).map(({ area }) => area)).toEqual(['days', 'weeks']);
    expect(namedBy(two, ['months'])).toEqual([]);
  });
});
