import { dirname } from 'node:path';
import type { Layout } from './layout.ts';
import { type Export, importPath, isIn, partOf, type Source, type Sources, workspaceOf } from './sources.ts';

/** Returns the violations of a rule as sentences. */
type Rule = (sources: Sources, layout: Layout) => string[];

function each(sources: Sources, violationsOf: (file: string, source: Source) => string[]): string[] {
  return [...sources].flatMap(([file, source]) => violationsOf(file, source));
}

function componentOf(file: string, { mayImport }: Layout): string | undefined {
  return Object.keys(mayImport)
    .filter((component) => isIn(file, component))
    .sort((one, other) => other.length - one.length)[0];
}

export const forbiddenImports: Rule = (sources, layout) =>
  each(sources, (file, { imports }) => {
    const component = componentOf(file, layout);
    if (component === undefined) return [`${file} belongs to no component`];
    const paths = layout.mayImport[component] ?? [];
    const isAllowed = (target: string) =>
      componentOf(target, layout) === component || paths.some((path) => isIn(target, path));
    return (
      imports
        // A mention counts only if it is the name of a source file. Other mentions refer to data files, such as
        // package.json.
        .filter(
          ({ target, kind }) => target !== null && (kind !== 'mention' || sources.has(target)) && !isAllowed(target),
        )
        .map(({ name }) => `${file} imports ${name}`)
    );
  });

/**
 * A package must be imported by its name, which gives access only to its exports. The folders in `deploy` are not
 * packages.
 */
export const importsByPath: Rule = (sources) =>
  each(sources, (file, { imports }) => {
    const workspace = workspaceOf(file);
    return imports
      .filter(({ name, target }) => workspace && name.startsWith('.') && target !== null && !isIn(target, workspace))
      .map(({ name }) => `${file} imports ${name}`);
  });

export const dynamicImports: Rule = (sources) =>
  each(sources, (file, { importsUnknown }) => (importsUnknown ? [`${file} imports a computed module name`] : []));

const INPUT_AND_OUTPUT = [
  ...['process', 'fetch', 'WebSocket', 'EventSource', 'globalThis', 'global', 'require', 'performance'],
];

export const impurities: Rule = (sources, { pure }) =>
  each(sources, (file, { imports, names, nondeterministicReads }) => {
    const modules = Object.entries(pure).find(([component]) => isIn(file, component))?.[1];
    if (modules === undefined) return [];
    return [
      ...imports
        .filter(({ name, target }) => target === null && !modules.some((module) => isIn(name, module)))
        .map(({ name }) => name),
      ...INPUT_AND_OUTPUT.filter((name) => names.has(name)),
      ...nondeterministicReads,
    ].map((name) => `${file} uses ${name}`);
  });

export const cycles: Rule = (sources) => {
  const found = [...sources.keys()]
    .map((file) => importPath(sources, file, (target) => target === file, ['code', 'type', 'mention']))
    .filter((way) => way !== null);
  return [...new Map(found.map((way) => [[...new Set(way)].sort().join(), way])).values()].map((way) =>
    way.join(' -> '),
  );
};

/** The folders of an app or package must not import each other in a cycle, directly or through other folders. */
export const folderCycles: Rule = (sources) => {
  const edges = new Map<string, Set<string>>();
  for (const [file, { imports }] of sources) {
    const from = partOf(file);
    for (const { target, kind } of imports) {
      const to = target !== null && kind !== 'mention' ? partOf(target) : null;
      if (from !== null && to !== null && from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  const reachedFrom = (folder: string) => {
    const reached = new Set(edges.get(folder));
    for (const each of reached) for (const next of edges.get(each) ?? []) reached.add(next);
    return reached;
  };
  return [...edges.keys()]
    .filter((folder) => reachedFrom(folder).has(folder))
    .map((folder) => `${folder} imports itself`);
};

/**
 * Returns the imported files, and the imported names as `FILE#NAME`. A re-exported name is traced to its definition. An
 * entry point re-exports names for other programs, which counts as using them.
 */
function usedBy(sources: Sources, { entryPoints }: Layout, isUser: (file: string) => boolean): Set<string> {
  const used = new Set<string>();
  const use = (file: string | null, name: string) => {
    if (file === null || used.has(`${file}#${name}`)) return;
    used.add(`${file}#${name}`);
    for (const { name: exported, from } of sources.get(file)?.exports ?? []) {
      if (from && exported === name) use(from.target, from.name);
      else if (from && exported === '*') use(from.target, name);
    }
  };
  for (const [file, { imports, uses, names, exports }] of sources) {
    if (!isUser(file)) continue;
    for (const { target } of imports) if (target !== null) used.add(target);
    // A namespace import uses those names that occur in the importing file.
    for (const { target, name } of uses) for (const each of name === '*' ? names : [name]) use(target, each);
    if (!entryPoints.test(file)) continue;
    for (const { from } of exports) if (from) use(from.target, from.name);
  }
  return used;
}

/** Code used only by tests is dead, too, unless its docstring says that it is exported for tests. */
export const deadCode: Rule = (sources, layout) => {
  const { tests, entryPoints } = layout;
  const usedAtAll = usedBy(sources, layout, () => true);
  const usedInProduction = usedBy(sources, layout, (file) => !tests.test(file));
  return each(sources, (file, { exports }) => {
    if (entryPoints.test(file)) return [];
    const usedFor = (isForTests: boolean) => (isForTests || tests.test(file) ? usedAtAll : usedInProduction);
    const isUsed = ({ name, from, isTestHook }: Export) => {
      const origin = sources.get(from?.target ?? '')?.exports.find((exported) => exported.name === from?.name);
      return name === '*' || usedFor(isTestHook || origin?.isTestHook === true).has(`${file}#${name}`);
    };
    return [
      ...(usedFor(false).has(file) ? [] : [`nothing imports ${file}`]),
      ...exports.filter((exported) => !isUsed(exported)).map(({ name }) => `nothing imports ${name} of ${file}`),
    ];
  });
};

export const domainWords: Rule = (sources, { domainAgnostic: { component, words } }) =>
  each(sources, (file, { text }) => {
    const found = isIn(file, component) ? words.exec(text) : null;
    return found ? [`${file} mentions ${found[0]}`] : [];
  });

/**
 * Code must neither pass SQL to a connection nor state the row type at a call, because a statement's declaration states
 * both.
 */
export const undeclaredQueries: Rule = (sources, { undeclaredQueryPaths }) =>
  each(sources, (file, { text }) => {
    if (undeclaredQueryPaths.some((path) => isIn(file, path))) return [];
    return Array.from(text.matchAll(/\.query\(|\b(?:query|rows|unprepared)<.*/g), ([found]) => `${file} has ${found}`);
  });

/**
 * Only a few files may create pools and connections with the database client, because these files set role, schema and
 * timeouts.
 */
export const directClients: Rule = (sources, { databaseClients }) =>
  each(sources, (file, { imports }) =>
    databaseClients.some((path) => isIn(file, path))
      ? []
      : imports
          .filter(({ name, kind }) => kind !== 'type' && /^pg(-[a-z-]+)?(\/|$)/.test(name))
          .map(({ name }) => `${file} imports ${name}`),
  );

/** A method call with a computed name, such as `pool[name](...)`, would hide a query from the rules above. */
export const computedCalls: Rule = (sources) =>
  each(sources, (file, { computedCalls: calls }) =>
    calls.map((call) => `${file} calls ${call}, whose name is computed`),
  );

/**
 * `toMatchObject` accepts any value for a regular expression, whereas `expect.stringMatching` applies the expression.
 */
export const unappliedPatterns: Rule = (sources) =>
  each(sources, (file, { unappliedPatterns: patterns }) =>
    patterns.map((pattern) => `${file} compares nothing with ${pattern}: use expect.stringMatching(${pattern})`),
  );

const WRITES =
  /\b(DELETE\s+FROM|INSERT\s+INTO|UPDATE\s+[\w.${}]+\s+SET|MERGE\s+INTO|TRUNCATE|(ALTER|DROP|CREATE)\s+TABLE)\b/;

/** Statements that write belong in packages, next to the rules that they follow. */
export const writingApps: Rule = (sources, { readOnlySql }) =>
  each(sources, (file, { text }) => {
    const found = readOnlySql.some((path) => isIn(file, path)) ? WRITES.exec(text) : null;
    return found ? [`${file} has ${found[0]}`] : [];
  });

const QUALIFIED_NAME =
  /(?:(?<!DISTINCT\s)\bFROM|\bJOIN|\bINTO|\bUPDATE|\bONLY|\bCOPY|\b(?:TABLE|VIEW|SEQUENCE|FUNCTION|TRUNCATE)(?:\s+IF(?:\s+NOT)?\s+EXISTS)?|\b(?:INDEX|GRANT|REVOKE)\b[^;]*?\bON)\s+(?!pg_catalog\.|information_schema\.)[a-z_]\w*\.[\w"$]|(?:nextval|to_regclass)\('[a-z_]\w*\.|'[a-z_]\w*\.\w+'::regclass/;

/** The connection determines a statement's schema, so the same statement works on every lane. */
export const schemaNames: Rule = (sources) =>
  each(sources, (file, { text }) => {
    const found = QUALIFIED_NAME.exec(text);
    return found ? [`${file} names a schema in ${found[0]}`] : [];
  });

/**
 * Returns the files of those projections that have a folder of their own. All projections share the files in the list's
 * own folder.
 */
function projectionFiles(sources: Sources, { projections }: Layout): string[] {
  return (sources.get(projections)?.imports ?? [])
    .map(({ name, target }) => (name.startsWith('.') ? target : null))
    .filter((target) => target !== null)
    .filter((target) => dirname(target) !== dirname(projections));
}

export const dependentProjections: Rule = (sources, layout) => {
  const folders = projectionFiles(sources, layout).map(dirname);
  return each(sources, (file) => {
    const own = folders.find((folder) => isIn(file, folder));
    if (own === undefined) return [];
    const others = folders.filter((folder) => folder !== own);
    const isOther = (target: string) => others.some((folder) => isIn(target, folder));
    const way = importPath(sources, file, isOther, ['code', 'type', 'mention']);
    return way ? [way.join(' -> ')] : [];
  });
};

export const writingReaders: Rule = (sources, layout) => {
  const writers = [...layout.writers, layout.projections, ...projectionFiles(sources, layout)];
  const importsWriter = (file: string) =>
    writers.some((writer) => isIn(file, writer)) ||
    // Imports of types count too, because code that takes part in a write needs them.
    (sources.get(file)?.imports ?? []).some(({ target }) => target && writers.some((writer) => isIn(target, writer)));
  return each(sources, (file) => {
    const way = isIn(file, layout.reader) ? importPath(sources, file, importsWriter, ['code', 'mention']) : null;
    return way ? [way.join(' -> ')] : [];
  });
};
