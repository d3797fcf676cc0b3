import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import type { Mutant } from './mutant.ts';

/** The area of all derived mutants. */
export const DERIVED = 'derived';

/** Pure packages, in which a file's tests are in the same folder or, if it has none, in the folder above. */
const PACKAGES = 'packages/{core/{domain,trail-codec,trip-event-codec},platform/validation}/**/*.ts';

/** Pure files in other components. Each has its own tests. */
const FILES = [
  'packages/core/event-log/{decide,names-in,prepare}.ts',
  'packages/core/{projections/retention,replay/throttle/rate-meter}.ts',
  'packages/operator/operations/definitions/status-sums.ts',
  'packages/platform/{http/{classify,overload},service/database-url}.ts',
  'packages/platform/kafka/{connection/topic-checks,patches/{fetch-decoder,slow-batches},batches/{record-batch,unpack}}.ts',
  'apps/console/{explore/periods,operate/{live/changed-paths,overview/unready-sentence,replays/progress-text}}.ts',
  'apps/cli/export/parquet.ts',
];

const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['===', '!=='],
  ['!==', '==='],
  ['&&', '||'],
  ['||', '&&'],
]);

interface Edit {
  start: number;
  end: number;
  replacement: string;
}

/**
 * Returns mechanical changes to a source text. Each changes an operator, a number or a boolean, or removes a statement.
 */
export function editsOf(file: string, text: string): Edit[] {
  const edits: Edit[] = [];
  const types = new Set<unknown>();
  const change = ({ start, end }: { start: number; end: number }, replacement: string) =>
    edits.push({ start, end, replacement });
  const operator = (node: { left: { end: number }; right: { start: number }; operator: string }) => {
    const opposite = OPPOSITES.get(node.operator);
    const start = text.indexOf(node.operator, node.left.end);
    if (opposite !== undefined) change({ start, end: start + node.operator.length }, opposite);
  };
  const visitor = new Visitor({
    BinaryExpression: operator,
    LogicalExpression: (node) => {
      operator(node);
      for (const { start, end } of [node.left, node.right]) change(node, text.slice(start, end));
    },
    TSLiteralType: ({ literal }) => types.add(literal),
    Literal: (node) => {
      if (types.has(node)) return;
      if (typeof node.value === 'boolean') change(node, String(!node.value));
      if (typeof node.value === 'number') change(node, String(node.value + 1));
    },
    ExpressionStatement: (node) => change(node, ';'),
    ThrowStatement: (node) => change(node, ';'),
  });
  visitor.visit(parseSync(file, text).program);
  return edits;
}

/** Returns all mutants that are derived from pure code. */
export function deriveMutants(root: string): Mutant[] {
  const inPackages = globSync(PACKAGES, { cwd: root, exclude: ['**/*.test.ts', '**/node_modules/**'] });
  return [...inPackages, ...globSync(FILES, { cwd: root })].flatMap((file) => {
    const pattern = inPackages.includes(file) ? '*.test.ts' : basename(file).replace('.ts', '.test.ts');
    const own = globSync(join(dirname(file), pattern), { cwd: root });
    const tests = own.length > 0 ? own : globSync(join(dirname(file), '..', pattern), { cwd: root });
    const text = readFileSync(join(root, file), 'utf8');
    return editsOf(file, text).map(({ start, end, replacement }) => {
      const before = text.slice(0, start).split('\n');
      const place = `${file}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
      const name = `${place}: "${replacement}" in place of "${text.slice(start, end)}"`;
      const plant = (original: string) => original.slice(0, start) + replacement + original.slice(end);
      return { name, file, plant, tests, place, area: DERIVED };
    });
  });
}
