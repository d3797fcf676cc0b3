interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  workspaces?: unknown;
  [field: string]: unknown;
}

/** Fields that the package copies from the top-level manifest. */
const FIELDS = ['name', 'version', 'description', 'keywords', 'license', 'type', 'engines'];

/**
 * Returns the manifest of the published package. It lists the dependencies of all workspaces, but not the workspaces
 * themselves, because the package contains their sources.
 *
 * @param texts the manifests of the top level and of all workspaces, as JSON
 */
export function packageManifest(texts: readonly string[]): Record<string, unknown> {
  const manifests = texts.map((text): Manifest => JSON.parse(text));
  const top = manifests.find(({ workspaces }) => workspaces !== undefined);
  if (!top) throw new Error('No manifest has workspaces.');
  const ours = new Set(manifests.map(({ name }) => name));
  const dependencies = new Map<string, string>();
  for (const { name, version, dependencies: own = {} } of manifests) {
    if (version !== top.version) throw new Error(`${name} has version ${version}, but ${top.name} has ${top.version}.`);
    for (const [dependency, range] of Object.entries(own)) {
      if (ours.has(dependency)) continue;
      const other = dependencies.get(dependency) ?? range;
      if (other !== range)
        throw new Error(`${name} depends on ${dependency} ${range}, but another manifest depends on ${other}.`);
      dependencies.set(dependency, range);
    }
  }
  return {
    ...Object.fromEntries(FIELDS.map((field) => [field, top[field]])),
    bin: { milepost: 'apps/cli/milepost.js' },
    dependencies: Object.fromEntries([...dependencies].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}
