interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  workspaces?: unknown;
  [field: string]: unknown;
}

/** What the package tells of itself as the top level does. */
const FIELDS = ['name', 'version', 'description', 'keywords', 'license', 'type', 'engines'];

/**
 * The manifest of the published package. It depends on what all workspaces depend on, except on each other: their sources
 * are in the package.
 *
 * @param texts the manifests of the top level and of all workspaces, as JSON
 */
export function packageManifest(texts: readonly string[]): Record<string, unknown> {
  const manifests = texts.map((text): Manifest => JSON.parse(text));
  const top = manifests.find(({ workspaces }) => workspaces !== undefined);
  if (!top) throw new Error('No manifest names workspaces.');
  const ours = new Set(manifests.map(({ name }) => name));
  const dependencies = new Map<string, string>();
  for (const { name, version, dependencies: own = {} } of manifests) {
    if (version !== top.version) throw new Error(`${name} has version ${version}, and ${top.name} has ${top.version}.`);
    for (const [dependency, range] of Object.entries(own)) {
      if (ours.has(dependency)) continue;
      const other = dependencies.get(dependency) ?? range;
      if (other !== range)
        throw new Error(`${name} asks for ${dependency} ${range}, and another manifest for ${other}.`);
      dependencies.set(dependency, range);
    }
  }
  return {
    ...Object.fromEntries(FIELDS.map((field) => [field, top[field]])),
    bin: { milepost: 'apps/cli/milepost.js' },
    dependencies: Object.fromEntries([...dependencies].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}
