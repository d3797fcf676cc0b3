import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyRepository } from './support/copy.ts';
import { DERIVED, deriveMutants } from './support/derive.ts';
import { misfitOf, readLists } from './support/list.ts';
import { type Mutant, projectOf } from './support/mutant.ts';
import { type Outcome, type Result, runTests } from './support/run-tests.ts';
import { dailyOf, namedBy, randomOf } from './support/select.ts';
import { startServices } from './support/services.ts';

const ROOT = join(import.meta.dirname, '../..');
const DAY_MILLISECONDS = 86_400_000;
const OUTCOMES: readonly Outcome[] = ['killed', 'survived', 'timed out', 'broken'];

type Run = (selection: Pick<Mutant, 'tests' | 'only'>) => Promise<Result>;

function usage(listed: readonly Mutant[]): string {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const projects = [...String(scripts.test).matchAll(/--project (\w+)/g)].map(([, project]) => project);
  const quick = listed.filter((mutant) => projects.includes(projectOf(mutant))).length;
  return [
    'npm run test:mutants [-- WORD...]: plants each selected fault in a copy of the code, and runs the tests that must fail.',
    "WORD is an area, or part of a mutant's name. If no WORD is given, all listed mutants run. The exit code is 1 unless",
    'failed tests have killed all listed mutants. A test that exceeds its time limit does not kill a mutant. Derived',
    'mutants are only counted, because some of them do not change behaviour.',
    '',
    '  --ten             Runs ten mutants, which take turns by the day.',
    '  --random NUMBER   Runs this number of listed mutants, selected at random.',
    '  --derived NUMBER  Runs this number of mutants derived from the syntax of pure code, selected at random.',
    '  --seed NUMBER     Repeats a random selection. The default is a random seed, which is printed.',
    '',
    `areas: ${[...new Set(listed.map(({ area }) => area))].join(', ')}`,
    `The tests of ${quick} of the ${listed.length} listed mutants (${Math.floor((100 * quick) / listed.length)}%) belong to \`npm test\`.`,
    ...listed.flatMap((mutant) => misfitOf(ROOT, mutant) ?? []),
  ].join('\n');
}

/** Runs the tests of all mutants on the unchanged code. Without this check, a failed test would prove nothing. */
async function checkUnchanged(run: Run, mutants: readonly Mutant[]): Promise<void> {
  const groups = Map.groupBy(mutants, (mutant) => `${projectOf(mutant)}${mutant.only ? ', selected tests' : ''}`);
  for (const [group, members] of groups) {
    const tests = [...new Set(members.flatMap((mutant) => mutant.tests))];
    const names = [...new Set(members.flatMap((mutant) => mutant.only ?? []))];
    const only = names.length > 0 ? { only: names.join('|') } : {};
    const { outcome, reason } = await run({ tests, ...only });
    if (outcome !== 'survived') throw new Error(`The tests of "${group}" fail without a mutant. ${reason}`);
    console.log(`${tests.length} test files of "${group}" pass without a mutant.`);
  }
}

async function runMutant(folder: string, run: Run, mutant: Mutant): Promise<Result> {
  const path = join(folder, mutant.file);
  const text = await readFile(path, 'utf8');
  await writeFile(path, mutant.plant(text));
  try {
    return await run(mutant);
  } finally {
    await writeFile(path, text);
  }
}

function printSummary(outcomes: ReadonlyMap<Mutant, Outcome>): void {
  const areas = [...Map.groupBy(outcomes, ([{ area }]) => area), ['all', [...outcomes]] as const];
  const rows = areas.map(([area, members]) => {
    const counts = OUTCOMES.map((outcome) => members.filter(([, each]) => each === outcome).length);
    const [killed = 0] = counts;
    return [area, ...counts.map(String), `${Math.floor((100 * killed) / members.length)}%`];
  });
  const cells = [['area', ...OUTCOMES, 'killed'], ...rows];
  console.log('');
  for (const [area = '', ...figures] of cells) {
    console.log([area.padEnd(16), ...figures.map((figure) => figure.padStart(10))].join(''));
  }
}

/** Runs the mutants one after another. Returns whether failed tests have killed all listed mutants. */
async function runAll(mutants: readonly Mutant[]): Promise<boolean> {
  const outcomes = new Map<Mutant, Outcome>();
  await using stack = new AsyncDisposableStack();
  const { folder, remove } = await copyRepository();
  stack.defer(remove);
  const { variables, stop } = await startServices(mutants);
  stack.defer(stop);
  const run: Run = async (selection) => await runTests(folder, selection, variables);
  await checkUnchanged(run, mutants);
  for (const mutant of mutants) {
    const misfit = misfitOf(folder, mutant);
    if (misfit !== null) {
      console.log(`outdated            ${misfit}`);
      continue;
    }
    const started = performance.now();
    const { outcome, reason } = await runMutant(folder, run, mutant);
    outcomes.set(mutant, outcome);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(`${outcome.padEnd(9)} ${seconds.padStart(6)} s  ${mutant.area}: ${mutant.name}`);
    if (outcome !== 'killed') console.log(`  ${mutant.place}; ${mutant.tests.join(' ')}${reason && `; ${reason}`}`);
  }
  printSummary(outcomes);
  return outcomes.entries().every(([{ area }, outcome]) => outcome === 'killed' || area === DERIVED);
}

const { values, positionals: words } = parseArgs({
  options: {
    ten: { type: 'boolean', default: false },
    random: { type: 'string' },
    derived: { type: 'string' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    help: { type: 'boolean', short: 'h', default: false },
  },
  allowPositionals: true,
});
const listed = readLists(ROOT);
const all = values.derived === undefined ? listed : deriveMutants(ROOT);
const named = words.length === 0 ? all : namedBy(all, words);
const { ten, seed, random = values.derived } = values;
const day = Math.floor(Date.now() / DAY_MILLISECONDS);
const sample = random === undefined ? named : randomOf(named, Number(random), seed);
const selected = ten ? dailyOf(sample, day) : sample;
if (values.help) {
  console.log(usage(listed));
} else if (selected.length === 0) {
  console.error(`No mutant is selected.\n\n${usage(listed)}`);
  process.exitCode = 2;
} else {
  const reasons = [...(random === undefined ? [] : [`with the seed ${seed}`]), ...(ten ? [`those of day ${day}`] : [])];
  console.log([`${selected.length} of ${all.length} mutants`, ...reasons].join(', '));
  if (!(await runAll(selected))) process.exitCode = 1;
}
