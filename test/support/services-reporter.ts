import type { Reporter, SerializedError, TestModule, TestProject, TestSpecification } from 'vitest/node';
import './programs.ts';
import './provided.ts';

const SETUP_FAILED = 'Services: none, as the setup of the run failed; the error follows.';

/**
 * Prints a run's last lines: which provider started the services, which tests were skipped, what to install for these
 * tests, and the counts.
 */
export default class ServicesReporter implements Reporter {
  #project: TestProject | undefined;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#project = specifications.map(({ project }) => project).find(({ config }) => config.globalSetup.length > 0);
  }

  #serviceLines(): string[] {
    if (!this.#project) return [];
    const provided = this.#project.getProvidedContext();
    // If the setup failed, nothing is provided, and Vitest neither runs a test nor counts a failure.
    if (provided.servicesProvider === undefined) return [SETUP_FAILED];
    const passedOver = provided.containersPassedOver === '' ? '' : ` (no containers: ${provided.containersPassedOver})`;
    return [`Services: ${provided.servicesProvider}${passedOver}`];
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const lines = this.#serviceLines();
    const counts = {
      passed: 0,
      failed: errors.length + (lines.includes(SETUP_FAILED) ? 1 : 0),
      skipped: 0,
      pending: 0,
    };
    const skippedWithout = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state] += 1;
        const { missing } = test.meta();
        if (missing !== undefined) skippedWithout.set(missing, (skippedWithout.get(missing) ?? 0) + 1);
        else if (state === 'skipped') lines.push(`Skipped: ${test.fullName}`);
      }
      // If an import or a hook fails, no test has failed, but the whole file or suite has. Count this too.
      if (module.errors().length > 0) counts.failed += 1;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length > 0 ? 1 : 0;
    }
    for (const [missing, count] of skippedWithout) {
      lines.push(`Skipped ${count === 1 ? '1 test that needs' : `${count} tests that need`} ${missing}`);
    }
    const summary = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped + counts.pending} skipped`;
    process.stdout.write(`${[...lines, summary].join('\n')}\n`);
  }
}
