import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Expression, type PrivateIdentifier, parseSync, Visitor } from 'oxc-parser';
import { TEST_HELPERS } from './layout.ts';

export const ROOT = resolve(import.meta.dirname, '../..');

export interface Import {
  /** As written. */
  name: string;
  /** The file that it leads to, relative to the root; null for anything that is not ours. */
  target: string | null;
  /** A type is gone at run time; a mention is a string that names a file or module, as for a thread or `require`. */
  kind: 'code' | 'type' | 'mention';
}

/** What the rules want to know of a source file. */
export interface Source {
  imports: Import[];
  /** Whether it has an `import()` of something that only running it would tell. */
  importsUnknown: boolean;
  /** Whether it reads `process.env`, or hands `process` on under another name, through which it could be read. */
  readsEnvironment: boolean;
  /** All names in it, of variables and properties alike. */
  names: Set<string>;
}

/** Source files by their path. */
export type Sources = ReadonlyMap<string, Source>;

/** Our packages by their name: where each lies, and what of it can be imported. */
export type Packages = ReadonlyMap<string, { folder: string; exports?: Readonly<Record<string, string>> }>;

function targetOf(file: string, name: string, packages: Packages): string | null {
  if (name.startsWith('.')) return join(dirname(file), name);
  const [packageName, subpath] = /^(@[^/]+\/[^/]+|[^/]+)(.*)$/.exec(name)?.slice(1) ?? [];
  const { folder, exports } = packages.get(packageName ?? '') ?? {};
  if (folder === undefined) return null;
  // Whatever is not exported leads nowhere, and so to no room.
  return exports?.[`.${subpath}`] ? join(folder, exports[`.${subpath}`] ?? '') : name;
}

function textOf(expression: Expression | PrivateIdentifier): string | null {
  if (expression.type === 'Literal' && typeof expression.value === 'string') return expression.value;
  if (expression.type === 'TemplateLiteral' && expression.expressions.length === 0) {
    return expression.quasis[0]?.value.cooked ?? null;
  }
  return null;
}

/** The name of a member, as far as it is in the text. */
function nameOf(property: Expression | PrivateIdentifier, computed: boolean): string | null {
  return !computed && property.type === 'Identifier' ? property.name : textOf(property);
}

/** An expression without the brackets and types around it. */
function bare(expression: Expression): Expression {
  const wraps = 'expression' in expression && typeof expression.expression === 'object';
  return wraps ? bare(expression.expression) : expression;
}

function isProcess(wrapped: Expression): boolean {
  const expression = bare(wrapped);
  if (expression.type === 'Identifier') return expression.name === 'process';
  if (expression.type !== 'MemberExpression') return false;
  const { object, property, computed } = expression;
  const holder = bare(object);
  return (
    holder.type === 'Identifier' && /^global(This)?$/.test(holder.name) && nameOf(property, computed) === 'process'
  );
}

/** Parses a source file. Throws for a syntax error. */
export function parseSource(file: string, text: string, packages: Packages): Source {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const kinds = new Map<string, Import['kind']>();
  const note = (name: string, kind: Import['kind']) => {
    // Code outweighs a type, and either a mention: the string of an import is visited as well.
    if (kind === 'code' || !kinds.has(name) || (kind === 'type' && kinds.get(name) === 'mention'))
      kinds.set(name, kind);
  };
  const noteMention = (value: unknown) => {
    if (typeof value === 'string' && /^(\.{1,2}\/|@|node:)\S+$/.test(value)) note(value, 'mention');
  };
  const names = new Set<string>();
  let importsUnknown = false;
  let readsEnvironment = false;
  const noteHandedOn = (value: Expression | null) => {
    if (value && isProcess(value)) readsEnvironment = true;
  };
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => note(source.value, importKind === 'type' ? 'type' : 'code'),
    ExportAllDeclaration: ({ source, exportKind }) => note(source.value, exportKind === 'type' ? 'type' : 'code'),
    ExportNamedDeclaration: ({ source, exportKind }) => {
      if (source) note(source.value, exportKind === 'type' ? 'type' : 'code');
    },
    TSImportType: ({ source }) => note(source.value, 'type'),
    ImportExpression: ({ source }) => {
      const name = textOf(source);
      if (name === null) importsUnknown = true;
      else note(name, 'code');
    },
    Literal: ({ value }) => noteMention(value),
    TemplateElement: ({ value }) => noteMention(value.cooked),
    MemberExpression: ({ object, property, computed }) => {
      const name = nameOf(property, computed);
      if ((name === null || name === 'env') && isProcess(object)) readsEnvironment = true;
    },
    VariableDeclarator: ({ init }) => noteHandedOn(init),
    AssignmentExpression: ({ right }) => noteHandedOn(right),
    AssignmentPattern: ({ right }) => noteHandedOn(right),
    SpreadElement: ({ argument }) => noteHandedOn(argument),
    Identifier: ({ name }) => {
      names.add(name);
    },
  }).visit(program);
  const imports = Array.from(kinds, ([name, kind]) => ({ name, target: targetOf(file, name, packages), kind }));
  readsEnvironment ||= imports.some(({ name }) => /^(node:)?process$/.test(name));
  return { imports, importsUnknown, readsEnvironment, names };
}

/** All source files that run in production, parsed. */
export function readSources(): Sources {
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  const packages = new Map(
    globSync('{apps,packages}/*/package.json', { cwd: ROOT }).map((file) => {
      const { name, exports } = JSON.parse(read(file));
      return [name, { folder: dirname(file), exports }];
    }),
  );
  const files = globSync('{apps,packages,deploy}/**/*.ts', {
    cwd: ROOT,
    exclude: ['**/node_modules', '**/*.test.ts', TEST_HELPERS],
  });
  return new Map(files.sort().map((file) => [file, parseSource(file, read(file), packages)]));
}

/** Whether a file is at a path, or under it. */
export function isIn(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`);
}

/** The shortest way from a file by imports of these kinds to one that `isGoal`, both included; null when there is none. */
export function wayFrom(
  sources: Sources,
  start: string,
  isGoal: (file: string) => boolean,
  kinds: readonly Import['kind'][],
): string[] | null {
  const seen = new Set<string>();
  const ways = [[start]];
  for (const way of ways) {
    for (const { target, kind } of sources.get(way.at(-1) ?? '')?.imports ?? []) {
      if (target === null || !kinds.includes(kind) || seen.has(target)) continue;
      if (isGoal(target)) return [...way, target];
      seen.add(target);
      ways.push([...way, target]);
    }
  }
  return null;
}
