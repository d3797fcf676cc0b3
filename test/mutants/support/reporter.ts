import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** The environment variable that contains the path of the reporter's output file. */
const OUTPUT = 'MUTANTS_REPORT';

export interface Report {
  passed: number;
  /** The messages of failed tests and hooks. Each begins with the test's name. */
  failures: string[];
  /** The messages of files that did not load and of errors outside the tests. */
  broken: string[];
}

/** Writes a run's results to a file as JSON. */
export default class MutantReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const report: Report = { passed: 0, failures: [], broken: errors.map(({ message }) => message) };
    for (const module of modules) {
      report.broken.push(...module.errors().map(({ message }) => message));
      for (const suite of module.children.allSuites()) {
        report.failures.push(...suite.errors().map(({ message }) => `${suite.fullName}: ${message}`));
      }
      for (const test of module.children.allTests()) {
        const { state, errors: failures = [] } = test.result();
        if (state === 'passed') report.passed += 1;
        if (state === 'failed') report.failures.push(...failures.map(({ message }) => `${test.fullName}: ${message}`));
      }
    }
    const output = process.env[OUTPUT];
    if (output === undefined) throw new Error(`${OUTPUT} must be the path of a file.`);
    writeFileSync(output, JSON.stringify(report));
  }
}
