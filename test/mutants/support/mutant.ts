/** A fault that is planted in a copy of the code, and the tests that must notice it. */
export interface Mutant {
  /** A sentence that states the planted fault. */
  name: string;
  /** The changed file, relative to the root. */
  file: string;
  /**
   * Returns the changed file's text.
   *
   * @param text the text of `file`
   * @throws Error when the fault does not apply to the text
   */
  plant: (text: string) => string;
  /** The test files to run, relative to the root. All of them belong to one Vitest project. */
  tests: readonly string[];
  /** A regular expression for part of the names of the tests to run. By default, all tests in the files run. */
  only?: string;
  /** The file and line that define the mutant. */
  place: string;
  /** The list that contains it, or `derived`. */
  area: string;
}

/** Returns the project in `vitest.config.ts` that runs a mutant's tests. */
export function projectOf({ tests }: Pick<Mutant, 'tests'>): string {
  const [, folder = 'architecture'] = /^test\/(\w+)\//.exec(tests[0] ?? '') ?? [];
  return folder === 'architecture' ? 'pure' : folder;
}
