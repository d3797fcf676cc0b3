import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Expression, type ParseResult, type PrivateIdentifier, parseSync, Visitor } from 'oxc-parser';
import { LAYOUT } from './layout.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
/** Generated or external files. The types generated from an OpenAPI document are in declaration files. */
const GENERATED = ['**/node_modules', '**/dist', '**/*.d.ts'];

interface Import {
  /** The name as it is written. */
  name: string;
  /** The imported file, relative to the root; null for an external module. */
  target: string | null;
  /**
   * `type` imports do not exist at run time. A `mention` is a string that names a file or module, such as the argument
   * of `require` or the file of a thread.
   */
  kind: 'code' | 'type' | 'mention';
}

interface Name {
  /** The imported file, relative to the root; null for an external module. */
  target: string | null;
  /** `default` for a default export; `*` for any of the target's exports. */
  name: string;
}

export interface Export {
  /** `*` for all exports of `from`. */
  name: string;
  /** Where a name comes from if the file only re-exports it. */
  from: Name | null;
  /** Whether its docstring says that it is exported for tests. */
  isTestHook: boolean;
}

/** What the rules need to know about a source file. */
export type Source = ReturnType<typeof parseSource>;

/** Source files by their path. */
export type Sources = ReadonlyMap<string, Source>;

interface Package {
  folder: string;
  exports?: Readonly<Record<string, string>>;
}

/** The packages of this repository by name. */
type Packages = ReadonlyMap<string, Package>;

function targetOf(file: string, name: string, packages: Packages): string | null {
  if (name.startsWith('.')) return join(dirname(file), name);
  const [packageName, subpath] = /^(@[^/]+\/[^/]+|[^/]+)(.*)$/.exec(name)?.slice(1) ?? [];
  const { folder, exports } = packages.get(packageName ?? '') ?? {};
  if (folder === undefined) return null;
  // A path that the package does not export belongs to no component.
  return exports?.[`.${subpath}`] ? join(folder, exports[`.${subpath}`] ?? '') : name;
}

function textOf(expression: Expression | PrivateIdentifier): string | null {
  if (expression.type === 'Literal' && typeof expression.value === 'string') return expression.value;
  if (expression.type === 'TemplateLiteral' && expression.expressions.length === 0) {
    return expression.quasis[0]?.value.cooked ?? null;
  }
  return null;
}

/** Returns the name of a member, or null if the name is computed. */
function nameOf(property: Expression | PrivateIdentifier, computed: boolean): string | null {
  return !computed && property.type === 'Identifier' ? property.name : textOf(property);
}

/** Returns an expression without the parentheses and types around it. */
function bare(expression: Expression): Expression {
  const wraps = 'expression' in expression && typeof expression.expression === 'object';
  return wraps ? bare(expression.expression) : expression;
}

const TEST_HOOK = /Exported\W+for\W+tests\.\s*$/;

function exportsOf({ module, comments }: ParseResult, text: string, nameIn: (module: string, name: string) => Name) {
  return module.staticExports.flatMap(({ start, entries }) => {
    const docstring = comments.find(({ end }) => end <= start && text.slice(end, start).trim() === '');
    const isTestHook = TEST_HOOK.test(docstring?.value ?? '');
    return entries.map(({ moduleRequest, importName, exportName }): Export => {
      const isAll = importName.kind === 'All' || importName.kind === 'AllButDefault';
      const from = moduleRequest && nameIn(moduleRequest.value, isAll ? '*' : (importName.name ?? 'default'));
      return { name: exportName.name ?? (isAll ? '*' : 'default'), from, isTestHook };
    });
  });
}

/** Parses a source file. Throws when the syntax is wrong. */
export function parseSource(file: string, text: string, packages: Packages) {
  const result = parseSync(file, text);
  const { program, errors, module } = result;
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const nameIn = (from: string, name: string): Name => ({ target: targetOf(file, from, packages), name });
  /** The names that it imports from other files. The names that it only re-exports are in `exports`. */
  const uses = module.staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ importName: { kind, name } }) =>
      nameIn(moduleRequest.value, kind === 'NamespaceObject' ? '*' : (name ?? 'default')),
    ),
  );
  const kinds = new Map<string, Import['kind']>();
  const note = (name: string, kind: Import['kind']) => {
    // If a file is named in several ways, code takes precedence over a type, and a type over a mention.
    if (kind === 'code' || !kinds.has(name) || (kind === 'type' && kinds.get(name) === 'mention'))
      kinds.set(name, kind);
  };
  const noteStatic = (source: { value: string } | null, kind?: 'type' | 'value') => {
    if (source) note(source.value, kind === 'type' ? 'type' : 'code');
  };
  const importedAt = new Set(
    [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries), ...module.dynamicImports].map(
      ({ moduleRequest }) => moduleRequest?.start,
    ),
  );
  const noteMention = (value: unknown, start: number) => {
    if (importedAt.has(start) || typeof value !== 'string' || !/^((\.{1,2}\/|@|node:)\S+|pg)$/.test(value)) return;
    note(value, 'mention');
    uses.push(nameIn(value, 'default'));
  };
  /** The names of all its variables and properties. */
  const names = new Set<string>();
  /** The source text of each read of the clock or of a random number: `Date.now`, `new Date()`, `Math.random`. */
  const nondeterministicReads: string[] = [];
  /**
   * The text of its calls to methods with computed names, except calls on a logger or on a constant table of functions.
   */
  const computedCalls: string[] = [];
  /** The source text of the regular expressions in arguments of `toMatchObject`, except inside another call. */
  const unappliedPatterns: string[] = [];
  /** The names of the methods whose calls surround the current node, the outermost first. */
  const calledAround: (string | null)[] = [];
  const written = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  /** Whether an expression is a global object, either by itself or as a member of another global object. */
  const isGlobal = (wrapped: Expression, name: string): boolean => {
    const expression = bare(wrapped);
    if (expression.type === 'Identifier') return expression.name === name;
    return expression.type === 'MemberExpression' && nameOf(expression.property, expression.computed) === name;
  };
  /** Whether it calls `import()` with a computed module name. */
  let importsUnknown = false;
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => noteStatic(source, importKind),
    ExportAllDeclaration: ({ source, exportKind }) => noteStatic(source, exportKind),
    ExportNamedDeclaration: ({ source, exportKind }) => noteStatic(source, exportKind),
    TSImportType: ({ source }) => {
      note(source.value, 'type');
      uses.push(nameIn(source.value, '*'));
    },
    ImportExpression: ({ source }) => {
      const name = textOf(source);
      importsUnknown ||= name === null;
      if (name === null) return;
      note(name, 'code');
      uses.push(nameIn(name, '*'));
    },
    Literal: (literal) => {
      noteMention(literal.value, literal.start);
      if ('regex' in literal && calledAround.at(-1) === 'toMatchObject') unappliedPatterns.push(written(literal));
    },
    TemplateElement: ({ value, start }) => noteMention(value.cooked, start),
    MemberExpression: ({ object, property, computed }) => {
      const name = nameOf(property, computed);
      if ((name === null || name === 'now') && isGlobal(object, 'Date')) nondeterministicReads.push('Date.now');
      if ((name === null || name === 'random') && isGlobal(object, 'Math')) nondeterministicReads.push('Math.random');
    },
    NewExpression: ({ callee, arguments: values }) => {
      if (values.length === 0 && isGlobal(callee, 'Date')) nondeterministicReads.push('new Date()');
    },
    CallExpression: ({ callee: wrapped }) => {
      const callee = bare(wrapped);
      calledAround.push(callee.type === 'MemberExpression' ? nameOf(callee.property, callee.computed) : null);
      if (isGlobal(callee, 'Date') && callee.type === 'Identifier') nondeterministicReads.push('Date()');
      if (callee.type !== 'MemberExpression' || !callee.computed || textOf(callee.property) !== null) return;
      const { object, property } = callee;
      const holder = bare(object);
      if (holder.type === 'Identifier' && /^(logger|[A-Z][A-Z_]*)$/.test(holder.name)) return;
      const isSymbol = property.type === 'MemberExpression' && isGlobal(property.object, 'Symbol');
      if (property.type !== 'Literal' && !isSymbol) computedCalls.push(written(callee));
    },
    'CallExpression:exit': () => void calledAround.pop(),
    Identifier: ({ name }) => void names.add(name),
  }).visit(program);
  const imports = Array.from(kinds, ([name, kind]) => ({ name, target: targetOf(file, name, packages), kind }));
  return {
    text,
    imports,
    uses,
    exports: exportsOf(result, text, nameIn),
    importsUnknown,
    nondeterministicReads,
    computedCalls,
    unappliedPatterns,
    names,
  };
}

let repository: ReturnType<typeof parseRepository> | undefined;

/** Returns the parsed files. Parsing takes seconds, so the test files in a worker share the result. */
export function readSources() {
  repository ??= parseRepository();
  return repository;
}

/** Returns the parsed production files, all parsed files including tests, and the folders of the apps and packages. */
function parseRepository() {
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  const packages = new Map(
    globSync('{apps/*,packages/client,packages/*/*}/package.json', { cwd: ROOT }).map((file): [string, Package] => {
      const { name, exports } = JSON.parse(read(file));
      return [name, { folder: dirname(file), exports }];
    }),
  );
  const files = globSync('{apps,packages,deploy,test}/**/*.{ts,tsx}', { cwd: ROOT, exclude: GENERATED });
  const withTests: Sources = new Map(files.sort().map((file) => [file, parseSource(file, read(file), packages)]));
  const sources: Sources = new Map([...withTests].filter(([file]) => !LAYOUT.tests.test(file)));
  return { sources, withTests, folders: [...packages.values()].map(({ folder }) => folder) };
}

/** Returns the folder of the app or package to which a file belongs; undefined for other files. */
export function workspaceOf(file: string): string | undefined {
  return /^(?:apps\/[^/]+|packages\/client|packages\/[^/]+\/[^/]+)(?=\/)/.exec(file)?.[0];
}

/** Returns the first folder inside a file's app or package; null for a file next to the manifest. */
export function partOf(file: string): string | null {
  const workspace = workspaceOf(file) ?? '';
  const [, folder] = /^\/([^/]+)\//.exec(file.slice(workspace.length)) ?? [];
  return workspace === '' || folder === undefined ? null : `${workspace}/${folder}`;
}

/** Returns whether a file is at a path or below it. */
export function isIn(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`);
}

/**
 * Returns the shortest path of imports of these kinds from a file to one for which `isGoal` is true, including both
 * files. Returns null if there is no such path.
 */
export function importPath(
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
