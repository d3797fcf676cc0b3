import { FLEET_ID } from '@milepost/domain/ids';
import type { Column } from '@milepost/postgres';
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';

/** Returns a schema that also allows null. The description of the value says what null means. */
export function nullable<Schema extends TSchema & Words>(schema: Schema) {
  const { description, examples } = schema;
  const words = {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  };
  return Type.Union([schema, Type.Null()], schema.$id === undefined ? words : {});
}

interface Words {
  $id?: string;
  description?: string;
  examples?: unknown;
}

export function WholeNumber(description: string, example: number) {
  return Type.Integer({ description, examples: [example] });
}

export function Decimal(description: string, example: number) {
  return Type.Number({ description, examples: [example] });
}

export function Text(description: string, example: string) {
  return Type.String({ description, examples: [example] });
}

export function YesNo(description: string) {
  return Type.Boolean({ description, examples: [true] });
}

const MOMENT = { format: 'date-time', examples: ['2025-01-31T08:00:00.000Z'] } as const;

/** A point in time, which is a Date in the process and a string in JSON. */
export function Moment(description: string) {
  return Type.Unsafe<Date>({ type: 'string', ...MOMENT, description });
}

/** A point in time that is already a string, as in stored reports. */
export function MomentText(description: string) {
  return Type.String({ ...MOMENT, description });
}

export const Day = Type.String({
  format: 'date',
  description: 'A day in UTC, such as 2025-01-31.',
  examples: ['2025-01-31'],
});

/** One of several words, by default with the first one as the example. */
export function OneOf<Words extends string[]>(words: readonly [...Words], description: string, example?: string) {
  return Type.Enum(words, { description, examples: [example ?? words[0]] });
}

/** An object that has a name of its own in the OpenAPI document. */
export function Named<Fields extends TProperties>(name: string, fields: Fields, words: { description?: string } = {}) {
  return Type.Object(fields, { $id: name, ...words });
}

/** An operation call that a response or a refusal suggests as the next step. */
export const Action = Named(
  'Action',
  {
    operation: Type.String({ description: 'The name of the operation.', examples: ['replay.promote'] }),
    input: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
      description: 'Its input. The operator supplies the missing inputs.',
      examples: [{ id: 7 }],
    }),
  },
  { description: 'An operation that can be called next.' },
);
export type Action = Static<typeof Action>;

const MAX_ID = Number.MAX_SAFE_INTEGER;

/** An id; the description names the resource. */
export function Id(description: string) {
  return Type.Integer({ minimum: 1, maximum: MAX_ID, description });
}

/** A fleet id; `what` describes its purpose. */
export function FleetId(what: string) {
  return Type.String({
    pattern: FLEET_ID.source,
    description: `1 to 64 characters from A-Z, a-z, 0-9, _ and -: ${what}.`,
    examples: ['sunrise-delivery'],
  });
}

/** The fleet and the driver in a path. */
export const driver = {
  fleet_id: FleetId("the driver's fleet"),
  driver_id: Type.String({ minLength: 1, description: 'a driver_id from an API response.' }),
};

/** The input that selects the ids in a list. */
export const Beginning = Type.Optional(
  Type.String({ default: '', description: 'a prefix: lists only the ids that start with it.' }),
);

/** PostgreSQL text cannot contain U+0000, so a query for such a string fails. */
export function isText(...texts: string[]): boolean {
  return !texts.some((text) => text.includes('\0'));
}

/** A boolean input, by default false; `what` starts with "whether". */
export function Flag(what: string) {
  return Type.Optional(Type.Boolean({ default: false, description: `true or false: ${what}` }));
}

/** A reason of 1 to 1,000 characters that are not all blank. `description` must start with this rule. */
export function Reason(description: string) {
  return Type.String({
    pattern: '^[^\\u0000\\p{Cs}]{0,999}[^\\s\\u0000\\p{Cs}][^\\u0000\\p{Cs}]{0,999}$',
    maxLength: 1_000,
    description,
  });
}

/**
 * Describes the pages of a list, newest first: the inputs that select a page, and the field that leads to the next one.
 *
 * @param most the maximum number of entries in a page; `usual` is the default
 */
export function pagesOf(most: number, usual: number) {
  const limit = Type.Integer({
    minimum: 1,
    maximum: most,
    default: usual,
    description: `a whole number from 1 to ${most}: the maximum number of entries.`,
  });
  const before = Id('a whole number of at least 1: an id; only entries with smaller ids are listed.');
  return {
    inputs: { limit: Type.Optional(limit), before: Type.Optional(before) },
    next_before: nullable(
      WholeNumber('The `before` value for the next page of older entries; null if there are none.', 12),
    ),
    /** Reads a page. `read` returns at most `limit` entries with ids below `before`. */
    async read<Entry extends { id: number }>(
      { limit = usual, before }: { limit?: number; before?: number },
      read: (limit: number, before: number | undefined) => Promise<Entry[]>,
    ): Promise<{ entries: Entry[]; next_before: number | null }> {
      // Reads one more entry than requested to find out whether there are older ones.
      const found = await read(limit + 1, before);
      const entries = found.slice(0, limit);
      return { entries, next_before: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
    },
  };
}

function kindOf({ type, format }: { type?: string; format?: string }) {
  if (type === 'object' || type === 'array') return 'json';
  if (type === 'boolean') return 'boolean';
  if (type === 'integer' || type === 'number') return 'number';
  if (format === 'date-time') return 'timestamp';
  return format === 'date' ? 'date' : 'text';
}

function columnOf({ anyOf, ...schema }: { anyOf?: object[] }): Column<unknown> {
  return { kind: anyOf?.[0] ? `${kindOf(anyOf[0])}?` : kindOf(schema) };
}

/** Returns the columns of a statement whose rows have the fields of a schema. */
export function columnsOf<Fields extends TProperties>(
  schema: TObject<Fields>,
): { [Name in keyof Static<TObject<Fields>>]: Column<Static<TObject<Fields>>[Name]> };
export function columnsOf({ properties }: TObject) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, columnOf(schema)]));
}
