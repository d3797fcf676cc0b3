import Type, { type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { isUncheckedObject } from './decode.ts';
import { expectation } from './fields.ts';
import { fault, type RecordFault } from './parsed-record.ts';
import { shown } from './shown.ts';

/**
 * The first fault of a value that its schema refused, in the order of the schema's fields; `path` is where the value
 * stands in the record. Only called for refused values, one object at a time: it need not be fast.
 */
export function explain(schema: TSchema, value: unknown, path: string): RecordFault {
  return firstFaultInside(schema, value, path) ?? invalidField(path, value, expectation(schema));
}

/** The field at `path` holds `value`, where `expected` is allowed. */
export function invalidField(path: string, value: unknown, expected: string): RecordFault {
  return fault('invalid_field', path, `The field ${path} must be ${expected}, but is ${shown(value)}.`);
}

function firstFaultInside(schema: TSchema, value: unknown, path: string): RecordFault | null {
  if (!isUncheckedObject(value)) return null;
  if (Type.IsUnion(schema)) {
    const objectSchema = schema.anyOf.find((option) => Type.IsObject(option));
    return objectSchema === undefined ? null : firstFaultInside(objectSchema, value, path);
  }
  if (!Type.IsObject(schema)) return null;
  for (const [name, fieldSchema] of Object.entries(schema.properties)) {
    const fieldPath = `${path}/${name}`;
    if (!Object.hasOwn(value, name)) {
      if (Type.IsOptional(fieldSchema)) continue;
      const message = `The field ${fieldPath} is missing; it must be ${expectation(fieldSchema)}.`;
      return fault('missing_field', fieldPath, message);
    }
    if (!Check(fieldSchema, value[name])) return explain(fieldSchema, value[name], fieldPath);
  }
  return null;
}
