import Type, { type TObject, type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { isUncheckedObject } from './decode.ts';
import { fault, type RecordFault, shown } from './fault.ts';

/** Returns the first fault in a value that the schema refused, in the order of the schema's fields. */
export function explain(schema: TSchema, value: unknown, path: string): RecordFault {
  for (const found of faultsOf(schema, value, path)) return found;
  return invalidField(path, value, expectation(schema));
}

/**
 * Yields the faults in a value that the schema refused, in the order of the schema's fields. `path` is the value's path
 * in the record. The function runs only for refused values, one object at a time, so it need not be fast.
 */
export function* faultsOf(schema: TSchema, value: unknown, path: string): Generator<RecordFault> {
  const object = objectSchemaOf(schema);
  if (object === undefined || !isUncheckedObject(value)) {
    yield invalidField(path, value, expectation(schema));
    return;
  }
  for (const [name, field] of Object.entries(object.properties)) {
    const fieldPath = `${path}/${name}`;
    if (!Object.hasOwn(value, name)) {
      if (Type.IsOptional(field)) continue;
      const message = `The field ${fieldPath} is missing; it must be ${expectation(field)}.`;
      yield fault('missing_field', fieldPath, message);
    } else if (!Check(field, value[name])) yield* faultsOf(field, value[name], fieldPath);
  }
}

/** Returns a fault that says what the value at `path` must be and what it is. */
export function invalidField(path: string, value: unknown, expected: string): RecordFault {
  return fault('invalid_field', path, `The field ${path} must be ${expected}, but is ${shown(value)}.`);
}

function objectSchemaOf(schema: TSchema): TObject | undefined {
  if (Type.IsObject(schema)) return schema;
  return Type.IsUnion(schema) ? schema.anyOf.find((option) => Type.IsObject(option)) : undefined;
}

/** Describes the values that a schema allows. */
function expectation(schema: TSchema): string {
  return 'description' in schema && typeof schema.description === 'string' ? schema.description : 'an object';
}
