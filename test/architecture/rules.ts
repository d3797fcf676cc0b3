import { dirname } from 'node:path';
import type { Layout } from './layout.ts';
import { type Export, isIn, type Source, type Sources, wayFrom } from './sources.ts';

/** Says what breaks a rule, as sentences. */
type Rule = (sources: Sources, layout: Layout) => string[];

function each(sources: Sources, offencesOf: (file: string, source: Source) => string[]): string[] {
  return [...sources].flatMap(([file, source]) => offencesOf(file, source));
}

function roomOf(file: string, { mayImport }: Layout): string | undefined {
  return Object.keys(mayImport)
    .filter((room) => isIn(file, room))
    .sort((one, other) => other.length - one.length)[0];
}

export const crossings: Rule = (sources, layout) =>
  each(sources, (file, { imports }) => {
    const room = roomOf(file, layout);
    if (room === undefined) return [`${file} is in no room`];
    const paths = layout.mayImport[room] ?? [];
    const isAllowed = (target: string) => roomOf(target, layout) === room || paths.some((path) => isIn(target, path));
    return (
      imports
        // A mention counts only if it is one of a source file: others are read, such as package.json.
        .filter(
          ({ target, kind }) => target !== null && (kind !== 'mention' || sources.has(target)) && !isAllowed(target),
        )
        .map(({ name }) => `${file} imports ${name}`)
    );
  });

/** Only by its name does a package show no more than it exports. The folders of `deploy` are no packages. */
export const detours: Rule = (sources) =>
  each(sources, (file, { imports }) => {
    const [workspace] = /^(apps|packages)\/[^/]+/.exec(file) ?? [];
    return imports
      .filter(({ name, target }) => workspace && name.startsWith('.') && target !== null && !isIn(target, workspace))
      .map(({ name }) => `${file} imports ${name}`);
  });

export const unknownImports: Rule = (sources) =>
  each(sources, (file, { importsUnknown }) => (importsUnknown ? [`${file} imports what no rule can know`] : []));

const INPUT_AND_OUTPUT = ['process', 'fetch', 'WebSocket', 'EventSource', 'globalThis', 'global', 'require'];

export const impurities: Rule = (sources, { pure }) =>
  each(sources, (file, { imports, names }) => {
    const modules = Object.entries(pure).find(([room]) => isIn(file, room))?.[1];
    if (modules === undefined) return [];
    return [
      ...imports
        .filter(({ name, target }) => target === null && !modules.some((module) => isIn(name, module)))
        .map(({ name }) => name),
      ...INPUT_AND_OUTPUT.filter((name) => names.has(name)),
    ].map((name) => `${file} uses ${name}`);
  });

export const environmentReads: Rule = (sources, { settings }) =>
  each(sources, (file, { readsEnvironment }) =>
    readsEnvironment && !settings.test(file) ? [`${file} can read the environment`] : [],
  );

export const cycles: Rule = (sources) => {
  const found = [...sources.keys()]
    .map((file) => wayFrom(sources, file, (target) => target === file, ['code', 'type']))
    .filter((way) => way !== null);
  return [...new Map(found.map((way) => [[...new Set(way)].sort().join(), way])).values()].map((way) =>
    way.join(' -> '),
  );
};

/** The files that these files import, and the names in them, as `FILE#NAME`: the names handed on as where they are made. */
function usedBy(sources: Sources, isUser: (file: string) => boolean): Set<string> {
  const used = new Set<string>();
  const use = (file: string | null, name: string) => {
    if (file === null || used.has(`${file}#${name}`)) return;
    used.add(`${file}#${name}`);
    for (const { name: exported, from } of sources.get(file)?.exports ?? []) {
      if (from && exported === name) use(from.target, from.name);
      else if (from && exported === '*') use(from.target, name);
    }
  };
  for (const [file, { imports, uses, names }] of sources) {
    if (!isUser(file)) continue;
    for (const { target } of imports) if (target !== null) used.add(target);
    // Whatever a whole module is imported for is named where it is used.
    for (const { target, name } of uses) for (const each of name === '*' ? names : [name]) use(target, each);
  }
  return used;
}

/** Code that only tests use is dead too, unless it says that it is there for them. */
export const deadCode: Rule = (sources, { tests, entryPoints }) => {
  const usedAtAll = usedBy(sources, () => true);
  const usedInProduction = usedBy(sources, (file) => !tests.test(file));
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

export const knowledge: Rule = (sources, { ignorant: { room, words } }) =>
  each(sources, (file, { text }) => {
    const found = isIn(file, room) ? words.exec(text) : null;
    return found ? [`${file} speaks of ${found[0]}`] : [];
  });

/** Neither SQL passed to a connection, nor the type of rows claimed where a statement runs: both follow from its declaration. */
export const claims: Rule = (sources, { askers }) =>
  each(sources, (file, { text }) => {
    if (askers.some((asker) => isIn(file, asker))) return [];
    return Array.from(text.matchAll(/\.query\(|\b(?:query|rows|unprepared)<.*/g), ([found]) => `${file} has ${found}`);
  });

/** Those in a folder of their own: what lies beside the list is shared by all. */
function projectionFiles(sources: Sources, { projections }: Layout): string[] {
  return (sources.get(projections)?.imports ?? [])
    .map(({ name, target }) => (name.startsWith('.') ? target : null))
    .filter((target) => target !== null)
    .filter((target) => dirname(target) !== dirname(projections));
}

export const entangledProjections: Rule = (sources, layout) => {
  const folders = projectionFiles(sources, layout).map(dirname);
  return each(sources, (file) => {
    const own = folders.find((folder) => isIn(file, folder));
    if (own === undefined) return [];
    const others = folders.filter((folder) => folder !== own);
    const isOther = (target: string) => others.some((folder) => isIn(target, folder));
    const way = wayFrom(sources, file, isOther, ['code', 'type', 'mention']);
    return way ? [way.join(' -> ')] : [];
  });
};

export const writingReaders: Rule = (sources, layout) => {
  const writers = [...layout.writers, layout.projections, ...projectionFiles(sources, layout)];
  const importsWriter = (file: string) =>
    writers.some((writer) => isIn(file, writer)) ||
    // Even its types: whoever takes part in a write has them.
    (sources.get(file)?.imports ?? []).some(({ target }) => target && writers.some((writer) => isIn(target, writer)));
  return each(sources, (file) => {
    const way = isIn(file, layout.reader) ? wayFrom(sources, file, importsWriter, ['code', 'mention']) : null;
    return way ? [way.join(' -> ')] : [];
  });
};
