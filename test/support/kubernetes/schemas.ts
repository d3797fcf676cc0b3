import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { toolsFolder } from '../tools.ts';
import type { Manifest } from './objects.ts';

/** The modules with the schemas for Kubernetes, KEDA and Prometheus Operator. */
const MODULES = [
  'kubernetes-models/_schemas/*.mjs',
  '@kubernetes-models/apimachinery/_schemas/*.mjs',
  '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject.mjs',
  '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor.mjs',
];
const QUANTITY = /^[+-]?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[mkMGTPE]|[eE][+-]?\d+)?$/;
const ANY_OBJECT = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

interface Schema {
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  [keyword: string]: unknown;
}

/** Makes a schema reject fields that it does not name, as the API server does with `strict`. */
function refuseUnknownFields(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const object: Schema = { ...schema };
  if ('properties' in schema && typeof object.properties === 'object') {
    // A property may have the same name as a keyword.
    for (const property of Object.values(object.properties)) refuseUnknownFields(property);
    if (object.additionalProperties === undefined) Object.assign(schema, { additionalProperties: false });
  }
  for (const [keyword, value] of Object.entries(object)) {
    if (keyword !== 'properties') refuseUnknownFields(value);
  }
}

interface Named {
  id: string;
  schema: Schema;
}

function readModule(folder: string, file: string): Named {
  const text = readFileSync(join(folder, file), 'utf8');
  const json = /^const schema = (.*?^\}|\{\});$/ms.exec(text)?.[1];
  const id = /register\("([^"]+)", schema\)/.exec(text)?.[1] ?? /const schemaId = "([^"]+)"/.exec(text)?.[1];
  if (json === undefined || id === undefined) throw new Error(`${file} has no schema.`);
  const schema: Schema = JSON.parse(json);
  refuseUnknownFields(schema);
  return { id, schema };
}

/** Returns the name of an object's schema, which follows from the object's API version and kind. */
function suffixOf({ apiVersion, kind }: Manifest): string {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse();
  const isOurs = !group.includes('.') || group.endsWith('.k8s.io');
  return isOurs ? `io.k8s.api.${group.split('.')[0]}.${version}.${kind}` : `${group}.${version}.${kind}`;
}

/** Returns a function that lists an object's violations of its strict schema. A missing schema is also a violation. */
export async function strictValidator(): Promise<(manifest: Manifest) => string[]> {
  const folder = join(await toolsFolder(), 'node_modules');
  const ajv = new Ajv({ allErrors: true, strict: false, allowUnionTypes: true });
  for (const name of ['int32', 'int64', 'double', 'string', 'byte', 'date-time', 'int-or-string']) {
    ajv.addFormat(name, true);
  }
  ajv.addFormat('quantity', QUANTITY);
  for (const file of globSync(MODULES, { cwd: folder })) {
    const { id, schema } = readModule(folder, file);
    ajv.addSchema(schema, id);
  }
  if (ajv.getSchema(ANY_OBJECT) === undefined) throw new Error(`The schema ${ANY_OBJECT} is missing.`);
  return (manifest) => {
    const name = suffixOf(manifest);
    const validate = ajv.getSchema(name);
    if (validate === undefined) return [`${name} has no schema.`];
    validate(manifest);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}
