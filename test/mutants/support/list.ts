import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Mutant } from './mutant.ts';

/** The texts that a change removes and adds, marked as by `git diff --word-diff`. */
const MARKED = /\[-([\s\S]*?)-\]|\{\+([\s\S]*?)\+\}/;
/** Stands for the shortest possible text between two kept texts. */
const ANY_TEXT = '…';

/**
 * Applies a marked change to a text. Any whitespace in the change matches any whitespace in the text.
 *
 * @throws Error when the text to change does not occur exactly once, or stays the same
 */
export function plantChange(change: string, text: string): string {
  // Of every three parts, the first is kept, the second is removed and the third is added.
  const parts = change.split(MARKED).map((part = '') => part);
  const patternOf = (part: string) => part.split(/\s+/).map(RegExp.escape).join('\\s+');
  const patternsOf = [
    (kept: string) => `(${kept.split(ANY_TEXT).map(patternOf).join('[\\s\\S]*?')})`,
    patternOf,
    () => '',
  ];
  const search = parts.map((part, index) => patternsOf[index % 3]?.(part)).join('');
  const matches = [...text.matchAll(new RegExp(search, 'g'))];
  const [match] = matches;
  if (match === undefined || matches.length > 1) {
    throw new Error(`the text to change occurs ${matches.length} times, but must occur once`);
  }
  const planted = parts.map((part, index) => [match[1 + index / 3], '', part][index % 3]).join('');
  if (planted === match[0]) throw new Error('the added text must differ from the removed text');
  return text.slice(0, match.index) + planted + text.slice(match.index + match[0].length);
}

/**
 * Reads a list of mutants. A line `= FILE | TEST...` states which file the following mutants change and which tests
 * belong to it. Each mutant is a line `- SENTENCE` or `- SENTENCE | PART OF THE TESTS' NAMES`, followed by its change
 * in indented lines.
 *
 * @param path the list's path, for messages
 * @throws Error with the line that is wrong
 */
export function parseList(path: string, text: string): Mutant[] {
  const mutants: (Omit<Mutant, 'plant'> & { change: string[] })[] = [];
  let group: Pick<Mutant, 'file' | 'tests'> | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const place = `${path}:${index + 1}`;
    const [, file, tests] = /^= (\S+) \| (\S.*)$/.exec(line) ?? [];
    const [, name, only] = /^- ([A-Z].*?\.)(?: \| (.+))?$/.exec(line) ?? [];
    if (file !== undefined && tests !== undefined) {
      group = { file, tests: tests.split(' ') };
    } else if (name !== undefined) {
      if (group === undefined) throw new Error(`${place}: a line "= FILE | TEST..." must precede the first mutant.`);
      mutants.push({ name, ...group, ...(only && { only }), place, area: basename(path, '.txt'), change: [] });
    } else if (/^ +\S/.test(line)) {
      mutants.at(-1)?.change.push(line.trim());
    } else if (line !== '') {
      throw new Error(
        `${place}: must be "= FILE | TEST...", "- SENTENCE.", "- SENTENCE. | TESTS" or an indented change.`,
      );
    }
  }
  return mutants.map(({ change: lines, ...mutant }) => {
    const change = lines.join('\n');
    if (!MARKED.test(change)) throw new Error(`${mutant.place}: a [-removed-] or an {+added+} text must follow.`);
    return { ...mutant, plant: (original) => plantChange(change, original) };
  });
}

/** Says where and why a mutant does not apply to the current code, or returns null if it applies. */
export function misfitOf(root: string, { place, file, plant }: Mutant): string | null {
  try {
    plant(readFileSync(join(root, file), 'utf8'));
    return null;
  } catch (error) {
    return `${place}: ${error instanceof Error ? error.message : error}`;
  }
}

/** Returns all listed mutants, in the order of their areas. */
export function readLists(root: string): Mutant[] {
  const paths = globSync('test/mutants/*.txt', { cwd: root }).sort();
  return paths.flatMap((path) => parseList(path, readFileSync(join(root, path), 'utf8')));
}
