import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { guardProcess } from '../../support/services/guard.ts';
import { type Mutant, projectOf } from './mutant.ts';
import type { Report } from './reporter.ts';

/** The maximum duration of a run, per test file. A fault in pure code often causes an endless loop. */
const MAX_FILE_MILLISECONDS = 300_000;
const MAX_PURE_FILE_MILLISECONDS = 90_000;
const TIME_LIMIT = /(Test|Hook) timed out in \d+ ?ms/;

/**
 * `killed`: a test failed for a reason other than its time limit. `timed out`: only time limits were exceeded, or the
 * run took too long. `broken`: no test ran.
 */
export type Outcome = 'killed' | 'survived' | 'timed out' | 'broken';

export interface Result {
  outcome: Outcome;
  /** The first failure, with the test's name; empty when all tests passed. */
  reason: string;
}

/** Returns the outcome of a run. Null stands for a run that was ended before it reported. Exported for tests. */
export function judge(report: Report | null): Result {
  if (report === null) {
    return { outcome: 'timed out', reason: 'The tests ran too long.' };
  }
  const { passed, failures, broken } = report;
  const killing = failures.find((message) => !TIME_LIMIT.test(message));
  if (killing !== undefined) return { outcome: 'killed', reason: killing };
  if (failures[0] !== undefined) return { outcome: 'timed out', reason: failures[0] };
  if (broken[0] !== undefined) return { outcome: 'broken', reason: broken[0] };
  return passed > 0 ? { outcome: 'survived', reason: '' } : { outcome: 'broken', reason: 'No test ran.' };
}

/** Ends a process and all processes that it has started, because a worker in an endless loop would outlive Vitest. */
function endGroup({ pid = Number.NaN }: ChildProcess): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have already ended.
  }
}

/**
 * Runs tests of one project in a copy of the repository, until the first failure. A missing service counts as a
 * failure, because skipped tests would not notice the fault.
 *
 * @param selection the test files and, unless all of their tests run, part of the tests' names
 * @param variables the environment variables with the addresses of the services
 */
export async function runTests(
  folder: string,
  selection: Pick<Mutant, 'tests' | 'only'>,
  variables: NodeJS.ProcessEnv,
): Promise<Result> {
  const { tests, only } = selection;
  const output = join(folder, 'node_modules/.mutants-report.json');
  await rm(output, { force: true });
  const names = only === undefined ? [] : ['--testNamePattern', only];
  const project = projectOf(selection);
  const values = ['run', '--project', project, '--bail', '1', ...names];
  const reporter = ['--reporter', './test/mutants/support/reporter.ts'];
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, ...values, ...reporter, ...tests], {
    cwd: folder,
    detached: true,
    env: { ...process.env, ...variables, MUTANTS_REPORT: output },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await once(child, 'spawn');
  guardProcess(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-2_000);
    });
  }
  const maxMilliseconds = project === 'pure' ? MAX_PURE_FILE_MILLISECONDS : MAX_FILE_MILLISECONDS;
  const timer = setTimeout(() => endGroup(child), maxMilliseconds * tests.length);
  await once(child, 'close');
  const isTooLong = child.signalCode === 'SIGKILL';
  clearTimeout(timer);
  endGroup(child);
  const text = await readFile(output, 'utf8').catch(() => null);
  if (text !== null) return judge(JSON.parse(text));
  return isTooLong ? judge(null) : { outcome: 'broken', reason: `The run reported nothing. ${printed}` };
}
