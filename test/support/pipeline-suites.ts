import { perSuite, perTest } from './fixtures.ts';
import { openPipeline, type Pipeline } from './pipeline.ts';
import { describeWithPostgres } from './service-suites.ts';

/** Returns a function that declares a suite whose tests use an opened pipeline. It is skipped without PostgreSQL. */
const suiteOf = (open: () => Pipeline) => (title: string, body: (pipeline: Pipeline) => void) =>
  describeWithPostgres(title, () => body(open()));

const openLog = async () => await openPipeline([]);

/** Declares a suite with one pipeline for all tests. */
export const describeWithPipeline = suiteOf(() => perSuite(openPipeline));

/** Declares a suite with a new pipeline for each test. */
export const describeWithOwnPipeline = suiteOf(() => perTest(openPipeline));

/** Declares a suite with one event log, without read tables, for all tests. */
export const describeWithLog = suiteOf(() => perSuite(openLog));

/** Declares a suite with a new event log, without read tables, for each test. */
export const describeWithOwnLog = suiteOf(() => perTest(openLog));
