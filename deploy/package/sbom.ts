import { execFileSync } from 'node:child_process';

interface Component {
  'bom-ref': string;
  properties: { name: string; value: string }[];
}

/** The parts of a bill of materials that this module reads (https://cyclonedx.org/docs/1.5/json/). */
interface BillOfMaterials {
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
  metadata: { component: { 'bom-ref': string; name: string } };
}

/**
 * Returns the software bill of materials of the package and the image as CycloneDX JSON, which lists every dependency
 * with its version, licence and hash. The function selects the dependencies itself, because npm's option `--omit=dev`
 * would also omit a workspace's dependency, such as pg, if a development dependency needs it too.
 *
 * @param root the folder with `package-lock.json`
 */
export function billOfMaterials(root: string): BillOfMaterials {
  const words = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const text = execFileSync('npm', words, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const bom: BillOfMaterials = JSON.parse(text);
  const isDevelopment = ({ properties }: Component) =>
    properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
  const components = bom.components.filter((component) => !isDevelopment(component));
  const { component } = bom.metadata;
  const kept = new Set([component, ...components].map((each) => each['bom-ref']));
  return {
    ...bom,
    metadata: { ...bom.metadata, component: { ...component, name: 'milepost' } },
    components,
    dependencies: bom.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) })),
  };
}
