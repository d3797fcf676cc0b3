/** A fault that is planted in a copy of the code, and the tests that must notice it. */
export interface Mutant {
  /** A sentence that states the planted fault. */
  name: string;
  /** The changed file, relative to the root. */
  file: string;
  /** A text that occurs exactly once in the file. */
  find: string;
  replace: string;
  /** The test files that run, relative to the root. All of them belong to one Vitest project. */
  tests: readonly string[];
  /** A part of the names of the tests that run, as a regular expression; by default, all tests of the files run. */
  only?: string;
}

/** Mutants by area. An area is the code whose mutants are in one file. */
export type Mutants = Readonly<Record<string, readonly Mutant[]>>;

/** Returns the project of `vitest.config.ts` that runs the tests of a mutant. */
export function projectOf({ tests }: Pick<Mutant, 'tests'>): string {
  const [, folder] = /^test\/(\w+)\//.exec(tests[0] ?? '') ?? [];
  if (folder === undefined || folder === 'architecture') return 'pure';
  return folder;
}

/**
 * Returns the text of the changed file.
 *
 * @param text the text of `file`
 * @throws Error when the text to find does not occur exactly once, or the replacement changes nothing
 */
export function plant({ name, file, find, replace }: Mutant, text: string): string {
  const occurrences = text.split(find).length - 1;
  if (occurrences !== 1) {
    throw new Error(`"${name}": the text to find occurs ${occurrences} times in ${file}, but must occur once: ${find}`);
  }
  if (find === replace) throw new Error(`"${name}": the replacement must differ from the text to find.`);
  return text.replace(find, () => replace);
}
