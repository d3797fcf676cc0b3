import type { Reporter, SerializedError, TestModule, TestProject, TestSpecification } from 'vitest/node';
import './provided.ts';

const SETUP_FAILED = 'Services: none, as the setup of the run failed; the error follows.';

/** The projects whose setup starts services. */
const WITH_SERVICES = ['integration', 'smoke', 'processes', 'faults', 'browser', 'timed', 'nightly'];

/** Prints the last lines of a run: the provider of the services, the tests skipped without one, and the counts. */
export default class ServicesReporter implements Reporter {
  #project: TestProject | undefined;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#project = specifications.map(({ project }) => project).find(({ name }) => WITH_SERVICES.includes(name));
  }

  #serviceLines(): string[] {
    if (!this.#project) return [];
    const provided = this.#project.getProvidedContext();
    // After a failed setup nothing is provided, and Vitest runs no test and counts no failure.
    if (provided.servicesProvider === undefined) return [SETUP_FAILED];
    const passedOver = provided.containersPassedOver === '' ? '' : ` (no containers: ${provided.containersPassedOver})`;
    return [
      `Services: ${provided.servicesProvider}${passedOver}`,
      ...Object.entries(provided.unavailableServices).map(([name, reason]) => `Skipped what needs ${name}: ${reason}`),
    ];
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const lines = this.#serviceLines();
    const counts = {
      passed: 0,
      failed: errors.length + (lines.includes(SETUP_FAILED) ? 1 : 0),
      skipped: 0,
      pending: 0,
    };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state] += 1;
        if (state === 'skipped') lines.push(`Skipped: ${test.fullName}`);
      }
      // A file or a suite that fails outside any test (an import, a hook) must count as a failure.
      if (module.errors().length > 0) counts.failed += 1;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length > 0 ? 1 : 0;
    }
    const summary = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped + counts.pending} skipped`;
    process.stdout.write(`${[...lines, summary].join('\n')}\n`);
  }
}
