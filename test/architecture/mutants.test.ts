import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deriveMutants, editsOf } from '../mutants/support/derive.ts';
import { misfitOf, parseList, plantChange, readLists } from '../mutants/support/list.ts';
import { type Mutant, projectOf } from '../mutants/support/mutant.ts';
import { judge } from '../mutants/support/run-tests.ts';
import { dailyOf, namedBy, randomOf } from '../mutants/support/select.ts';
import { ROOT } from './sources.ts';

const PATH = 'test/mutants/days.txt';
const LIST = `= day.ts | day.test.ts hour.test.ts
- A day has 23 hours.
  hours = [-24-]{+23+}
- A day has no night. | the night of
  rise(); [-set();
    sleep();-]
`;
const MAX_OUTDATED_SHARE = 0.05;
const mutants = readLists(ROOT);
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Returns what is wrong with a mutant's definition. */
function offencesOf({ name, tests, only }: Mutant): string[] {
  const missing = tests.filter((file) => !existsSync(join(ROOT, file)));
  if (missing.length > 0) return [`no test file ${missing.join(' ')}`];
  const projects = new Set(tests.map((file) => projectOf({ tests: [file] })));
  return [
    ...(projects.size > 1 ? [`tests of several projects: ${[...projects].join(' ')}`] : []),
    ...(only !== undefined && !tests.some((file) => new RegExp(only).test(read(file))) ? [`no test "${only}"`] : []),
    ...(mutants.filter((other) => other.name === name).length > 1 ? ['several mutants of this name'] : []),
  ];
}

describe('the listed mutants', () => {
  it('name existing tests in one project, and each has its own name', () => {
    expect(mutants.flatMap((mutant) => offencesOf(mutant).map((offence) => `${mutant.place}: ${offence}`))).toEqual([]);
  });

  // A few outdated mutants are allowed, so that they do not block a refactoring of the code that they change.
  it('apply to the present code, except a few that are outdated', () => {
    const outdated = mutants.flatMap((mutant) => misfitOf(ROOT, mutant) ?? []);
    expect(outdated.length <= MAX_OUTDATED_SHARE * mutants.length ? [] : outdated).toEqual([]);
  });
});

describe('a list', () => {
  const [hours, night] = parseList(PATH, LIST);

  it("states a group's file and tests once, and one fault for each sentence", () => {
    const group = { file: 'day.ts', tests: ['day.test.ts', 'hour.test.ts'], area: 'days', plant: expect.any(Function) };
    expect([hours, night]).toEqual([
      { ...group, name: 'A day has 23 hours.', place: `${PATH}:2` },
      { ...group, name: 'A day has no night.', only: 'the night of', place: `${PATH}:4` },
    ]);
  });

  it('plants a change even where the text has different whitespace', () => {
    expect(hours?.plant('const hours\n  = 24;')).toBe('const hours\n  = 23;');
    expect(night?.plant('rise();\n\n  set(); sleep();\n')).toBe('rise();\n\n  \n');
  });

  it.each([
    ['0 times', 'hours = 25;'],
    ['2 times', 'hours = 24; hours = 24;'],
  ])('refuses to plant a change whose text occurs %s', (times, text) => {
    expect(() => hours?.plant(text)).toThrow(`occurs ${times}, but must occur once`);
  });

  it('refuses to plant a change that changes nothing', () => {
    expect(() => plantChange('[-24-]{+24+}', '24')).toThrow('must differ');
  });

  it('moves a text past another one that is not shown', () => {
    expect(plantChange('[-a();-] b(…);{+ a();+}', 'a(); b(1,\n2); c();')).toBe(' b(1,\n2); a(); c();');
  });

  it('keeps a special pattern such as $& in an added text', () => {
    expect(plantChange('hours = [-24-]{+$&+}', 'hours = 24;')).toBe('hours = $&;');
  });

  it.each([
    ['1: a line "= FILE | TEST..." must precede', '- A day has 23 hours.'],
    ['1: must be "= FILE | TEST..."', '= day.ts'],
    ['2: must be', '= day.ts | day.test.ts\n- no sentence'],
    ['2: a [-removed-] or an {+added+} text must follow', '= day.ts | day.test.ts\n- A day has 23 hours.\n  24'],
  ])('with a mistake is refused: %s', (message, list) => {
    expect(() => parseList(PATH, list)).toThrow(`${PATH}:${message}`);
  });
});

describe('the mutants derived from a text', () => {
  const derive = (text: string) =>
    editsOf('a.ts', text).map(({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end));

  it.each([
    ['a comparison', 'const a = b <= 10n;', ['const a = b < 10n;']],
    ['a logical operator', 'const a = b && c;', ['const a = b || c;', 'const a = b;', 'const a = c;']],
    ['a boolean', 'const a = true;', ['const a = false;']],
    ['a number', 'const a = 0.5;', ['const a = 1.5;']],
    ['a statement', 'a();', [';']],
    ['a thrown error', 'throw a;', [';']],
    ['no type', 'let a: 1 | true;', []],
  ])('change %s', (_change, text, derived) => {
    expect(derive(text)).toEqual(derived);
  });

  it('have tests beside the code', () => {
    const derived = deriveMutants(ROOT);
    expect(derived.length).toBeGreaterThan(1_000);
    expect(derived.filter(({ tests }) => tests.length === 0)).toEqual([]);
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

  it('picks the same mutants again for the same seed, and others for a different seed', () => {
    expect(randomOf(mutants, 10, '7')).toEqual(randomOf(mutants, 10, '7'));
    expect(randomOf(mutants, 10, '7')).not.toEqual(randomOf(mutants, 10, '8'));
  });

  it("accepts a whole area, or a part of a mutant's name", () => {
    const two = [...parseList('days.txt', LIST), ...parseList('weeks.txt', LIST.replaceAll('A day', 'A week'))];
    const areasOf = (words: string[]) => namedBy(two, words).map(({ area, name }) => `${area}: ${name}`);
    expect(areasOf(['days'])).toEqual(['days: A day has 23 hours.', 'days: A day has no night.']);
    expect(areasOf(['weeks', 'day has 23'])).toHaveLength(3);
    expect(areasOf(['months'])).toEqual([]);
  });
});
