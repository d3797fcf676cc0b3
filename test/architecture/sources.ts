import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Expression, type ParseResult, type PrivateIdentifier, parseSync, Visitor } from 'oxc-parser';
import { LAYOUT } from './layout.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
/** What nobody has written: the types that come from an OpenAPI document are declarations alone. */
const GENERATED = ['**/node_modules', '**/dist', '**/*.d.ts'];

interface Import {
  /** As written. */
  name: string;
  /** The file that it leads to, relative to the root; null for anything that is not ours. */
  target: string | null;
  /** A type is gone at run time; a mention is a string that names a file or module, as for a thread or `require`. */
  kind: 'code' | 'type' | 'mention';
}

interface Name {
  /** A file relative to the root; null for anything that is not ours. */
  target: string | null;
  /** `default` without a name; `*` for any of the target's exports. */
  name: string;
}

export interface Export {
  /** `*` for whatever `from` exports. */
  name: string;
  /** Where a name comes from that is only handed on. */
  from: Name | null;
  /** Whether its docstring says that tests are why it is exported. */
  isTestHook: boolean;
}

/** What the rules want to know of a source file. */
export interface Source {
  imports: Import[];
  /** The names that it takes from other files; those that it only hands on are among its exports. */
  uses: Name[];
  exports: Export[];
  /** Whether it has an `import()` of something that only running it would tell. */
  importsUnknown: boolean;
  /** Whether it reads `process.env`, or hands `process` on under another name, through which it could be read. */
  readsEnvironment: boolean;
  text: string;
  /** All names in it, of variables and properties alike. */
  names: Set<string>;
}

/** Source files by their path. */
export type Sources = ReadonlyMap<string, Source>;

/** Our packages by their name: where each lies, and what of it can be imported. */
type Packages = ReadonlyMap<string, { folder: string; exports?: Readonly<Record<string, string>> }>;

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

/** Parses a source file. Throws for a syntax error. */
export function parseSource(file: string, text: string, packages: Packages): Source {
  const result = parseSync(file, text);
  const { program, errors, module } = result;
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const nameIn = (from: string, name: string): Name => ({ target: targetOf(file, from, packages), name });
  const uses = module.staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ importName: { kind, name } }) =>
      nameIn(moduleRequest.value, kind === 'NamespaceObject' ? '*' : (name ?? 'default')),
    ),
  );
  const kinds = new Map<string, Import['kind']>();
  const note = (name: string, kind: Import['kind']) => {
    // Code outweighs a type, and either a mention.
    if (kind === 'code' || !kinds.has(name) || (kind === 'type' && kinds.get(name) === 'mention'))
      kinds.set(name, kind);
  };
  const importedAt = new Set(
    [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries), ...module.dynamicImports].map(
      ({ moduleRequest }) => moduleRequest?.start,
    ),
  );
  const noteMention = (value: unknown, start: number) => {
    if (importedAt.has(start) || typeof value !== 'string' || !/^(\.{1,2}\/|@|node:)\S+$/.test(value)) return;
    note(value, 'mention');
    uses.push(nameIn(value, 'default'));
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
    TSImportType: ({ source }) => {
      note(source.value, 'type');
      uses.push(nameIn(source.value, '*'));
    },
    ImportExpression: ({ source }) => {
      const name = textOf(source);
      if (name === null) {
        importsUnknown = true;
        return;
      }
      note(name, 'code');
      uses.push(nameIn(name, '*'));
    },
    Literal: ({ value, start }) => noteMention(value, start),
    TemplateElement: ({ value, start }) => noteMention(value.cooked, start),
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
  return { text, imports, uses, exports: exportsOf(result, text, nameIn), importsUnknown, readsEnvironment, names };
}

/** All source files, parsed: those that run in production, and all that there are with those of tests. */
export function readSources(): { sources: Sources; withTests: Sources; folders: string[] } {
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  const packages = new Map(
    globSync('{apps,packages}/*/package.json', { cwd: ROOT }).map((file) => {
      const { name, exports } = JSON.parse(read(file));
      return [name, { folder: dirname(file), exports }];
    }),
  );
  const files = globSync('{apps,packages,deploy,test}/**/*.{ts,tsx}', { cwd: ROOT, exclude: GENERATED });
  const withTests = new Map(files.sort().map((file) => [file, parseSource(file, read(file), packages)]));
  const sources = new Map([...withTests].filter(([file]) => !LAYOUT.tests.test(file)));
  return { sources, withTests, folders: [...packages.values()].map(({ folder }) => folder) };
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
