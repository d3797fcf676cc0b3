import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MUTANTS } from './all.ts';
import { copyRepository } from './support/copy.ts';
import { plant, projectOf } from './support/mutant.ts';
import { type Outcome, type Result, runTests } from './support/run-tests.ts';
import { type AreaMutant, allOf, dailyOf, dayOfYear, namedBy } from './support/select.ts';

const TEN = '--ten';
const OUTCOMES: readonly Outcome[] = ['killed', 'survived', 'timed out', 'broken'];

const USAGE = [
  'npm run test:mutants [-- WORD...]: plants each selected fault in a copy of the code, and runs the tests that must fail.',
  'WORD is an area, or a part of the name of a mutant. If no WORD is given, all mutants run. The exit code is 1 unless all',
  'mutants are killed by a failed test. A test that exceeds its time limit kills no mutant.',
  '',
  '  --ten  Runs ten mutants, selected by the day of the year.',
  '',
  `areas: ${Object.keys(MUTANTS).join(', ')}`,
].join('\n');

/** Runs the tests of all mutants in the unchanged code. Without this check, a failed test would prove nothing. */
async function checkUnchanged(folder: string, mutants: readonly AreaMutant[]): Promise<void> {
  const groups = Map.groupBy(mutants, (mutant) => `${projectOf(mutant)}${mutant.only ? ', selected tests' : ''}`);
  for (const [group, members] of groups) {
    const tests = [...new Set(members.flatMap((mutant) => mutant.tests))];
    const names = [...new Set(members.flatMap((mutant) => mutant.only ?? []))];
    const only = names.length > 0 ? { only: names.join('|') } : {};
    const { outcome, reason } = await runTests(folder, { tests, ...only });
    if (outcome !== 'survived') throw new Error(`The tests of "${group}" fail without a mutant. ${reason}`);
    console.log(`${tests.length} test files of "${group}" pass without a mutant.`);
  }
}

async function runMutant(folder: string, mutant: AreaMutant): Promise<Result> {
  const path = join(folder, mutant.file);
  const text = await readFile(path, 'utf8');
  await writeFile(path, plant(mutant, text));
  try {
    return await runTests(folder, mutant);
  } finally {
    await writeFile(path, text);
  }
}

function printSummary(outcomes: ReadonlyMap<AreaMutant, Outcome>): void {
  const areas = [...Map.groupBy(outcomes, ([{ area }]) => area), ['all', [...outcomes]] as const];
  const rows = areas.map(([area, members]) => {
    const counts = OUTCOMES.map((outcome) => members.filter(([, each]) => each === outcome).length);
    const [killed = 0] = counts;
    return [area, ...counts.map(String), `${Math.floor((100 * killed) / members.length)} %`];
  });
  const cells = [['area', ...OUTCOMES, 'killed'], ...rows];
  console.log('');
  for (const [area = '', ...figures] of cells) {
    console.log([area.padEnd(16), ...figures.map((figure) => figure.padStart(10))].join(''));
  }
}

/** Runs the mutants one after another. Returns whether failed tests have killed all of them. */
async function runAll(mutants: readonly AreaMutant[]): Promise<boolean> {
  const outcomes = new Map<AreaMutant, Outcome>();
  const { folder, remove } = await copyRepository();
  try {
    await checkUnchanged(folder, mutants);
    for (const mutant of mutants) {
      const started = performance.now();
      const { outcome, reason } = await runMutant(folder, mutant);
      outcomes.set(mutant, outcome);
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      console.log(`${outcome.padEnd(9)} ${seconds.padStart(6)} s  ${mutant.area}: ${mutant.name}`);
      if (outcome !== 'killed') console.log(`  ${mutant.file}; ${mutant.tests.join(' ')}${reason && `; ${reason}`}`);
    }
  } finally {
    await remove();
  }
  printSummary(outcomes);
  return outcomes.values().every((outcome) => outcome === 'killed');
}

const values = process.argv.slice(2);
const words = values.filter((value) => !value.startsWith('-'));
const unknown = values.find((value) => value.startsWith('-') && ![TEN, '--help', '-h'].includes(value));
const mutants = words.length === 0 ? allOf(MUTANTS) : namedBy(allOf(MUTANTS), words);
if (values.includes('--help') || values.includes('-h')) {
  console.log(USAGE);
} else if (unknown !== undefined) {
  console.error(`Unknown option: ${unknown}.\n\n${USAGE}`);
  process.exitCode = 2;
} else if (mutants.length === 0) {
  console.error(`No mutant has "${words.join('" or "')}" as its area or in its name.\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  const day = dayOfYear(new Date());
  const selected = values.includes(TEN) ? dailyOf(mutants, day) : mutants;
  console.log(`${selected.length} of ${mutants.length} mutants${values.includes(TEN) ? `, those of day ${day}` : ''}`);
  if (!(await runAll(selected))) process.exitCode = 1;
}
