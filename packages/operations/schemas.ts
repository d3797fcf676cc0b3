import { nullable } from '@milepost/domain/schemas';
import {
  boolean,
  type Column,
  type Columns,
  date,
  json,
  number,
  nullable as orNull,
  text,
  timestamp,
} from '@milepost/postgres';
import Type, { type Static, type TObject, type TProperties } from 'typebox';

export { Day, nullable, Time } from '@milepost/domain/schemas';

const LARGEST_ID = Number.MAX_SAFE_INTEGER;

/** An id, of which the description says whose. */
export function Id(description: string) {
  return Type.Integer({ minimum: 1, maximum: LARGEST_ID, description });
}

export const FLEET_ID = '^[A-Za-z0-9_-]{1,64}$';

/** A fleet, of which the description says what it is for. */
export function FleetId(what: string) {
  return Type.String({
    pattern: FLEET_ID,
    description: `1 to 64 of the characters A-Z, a-z, 0-9, _ and -: ${what}.`,
  });
}

/** A driver of a fleet, as paths name both. */
export const driver = {
  fleet_id: FleetId("the driver's fleet"),
  driver_id: Type.String({ minLength: 1, description: 'the driver_id of an answer.' }),
};

/** No text of PostgreSQL holds U+0000: asking for one would fail. */
export function isText(...texts: string[]): boolean {
  return !texts.some((text) => text.includes('\0'));
}

/** Whose id it is, for a sentence; of an id that cannot be one, -1, nothing more is said. */
export function which(id: number): string {
  return id < 0 ? 'with this id' : String(id);
}

/** A switch that is off unless said; `what` begins with "whether". */
export function Flag(what: string) {
  return Type.Optional(Type.Boolean({ default: false, description: `true or false: ${what}` }));
}

/** Why something is done: 1 to 1,000 characters that are not all blank. `description` begins with saying so. */
export function Reason(description: string) {
  return Type.String({
    pattern: '^[^\\u0000\\p{Cs}]{0,999}[^\\s\\u0000\\p{Cs}][^\\u0000\\p{Cs}]{0,999}$',
    maxLength: 1_000,
    description,
  });
}

/** The inputs of a list whose entries have ids: how many it shows, and where it goes on. */
export function pageInputs(most: number, usual: number) {
  return {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: most,
        default: usual,
        description: `a whole number from 1 to ${most}: how many to list.`,
      }),
    ),
    before: Type.Optional(Id('a whole number from 1 on: an id, to list entries with smaller ones only.')),
  };
}

export const nextBefore = nullable(
  Type.Integer({ description: 'The value of `before` for the next, older ones; null when there are none.' }),
);

/** A page of a list, newest first, read by a reader that returns at most so many. */
export async function pageOf<Entry extends { id: number }>(
  limit: number,
  read: (limit: number) => Promise<Entry[]>,
): Promise<{ entries: Entry[]; next_before: number | null }> {
  // One more than asked for tells whether there are older ones.
  const found = await read(limit + 1);
  const entries = found.slice(0, limit);
  return { entries, next_before: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

function columnOf(schema: { anyOf?: object[]; enum?: unknown; type?: string; format?: string }): Column<unknown> {
  if (schema.anyOf?.[0]) return orNull(columnOf(schema.anyOf[0]));
  if (schema.type === 'object' || schema.type === 'array') return json();
  if (schema.type === 'boolean') return boolean;
  if (schema.type === 'integer' || schema.type === 'number') return number;
  if (schema.format === 'date-time') return timestamp;
  return schema.format === 'date' ? date : text;
}

/** The columns of a statement that returns what a schema describes: its fields, or null. */
export function columnsOf<Fields extends TProperties>(schema: TObject<Fields>): Columns<Static<TObject<Fields>>>;
export function columnsOf({ properties }: TObject) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, columnOf(schema)]));
}
