import Type, { type TSchema } from 'typebox';

/** `schema` or null, written as one schema with two types: the form that serializers compile to straight code. */
export function Nullable<Value>(schema: TSchema & { type: string }) {
  return Type.Unsafe<Value | null>({ ...schema, type: [schema.type, 'null'] });
}
