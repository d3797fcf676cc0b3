import Type, { type TProperties, type TSchema } from 'typebox';
import { DailySummary, TripListEntry, WeekTotals } from './resources.ts';

/** `figure` is any number, and `time` is in epoch milliseconds. A kind with `?`, such as `integer?`, may be null. */
export type Kind = 'text' | 'text?' | 'date' | 'time' | 'integer' | 'integer?' | 'figure' | 'figure?' | 'flag';

/** The kinds of the types in the schemas of resources. */
const KINDS: Readonly<Record<string, Kind>> = {
  string: 'text',
  'string,null': 'text?',
  integer: 'integer',
  'integer,null': 'integer?',
  number: 'figure',
  'number,null': 'figure?',
  boolean: 'flag',
};

function kindOf(name: string, schema: TSchema): Kind {
  if ('format' in schema && schema.format === 'date') return 'date';
  if (name.endsWith('_time')) return 'time';
  const kind = 'type' in schema ? KINDS[String(schema.type)] : undefined;
  if (kind === undefined) throw new Error(`The column ${name} has no kind.`);
  return kind;
}

/** Returns the columns of a resource, in order. The members of an object in the resource have columns of their own. */
function columnsOf(properties: TProperties): Record<string, Kind> {
  const entries = Object.entries(properties).flatMap(([name, schema]): [string, Kind][] =>
    Type.IsObject(schema) ? Object.entries(columnsOf(schema.properties)) : [[name, kindOf(name, schema)]],
  );
  return Object.fromEntries(entries);
}

const { date, ...day } = DailySummary.properties;
const { start_date, end_date, ...week } = WeekTotals.properties;

/** The columns of each kind of exported row, in order, with the names and units of the HTTP interface. */
export const COLUMNS = {
  trips: columnsOf(TripListEntry.properties),
  days: { driver_id: 'text', ...columnsOf({ date, ...day }) },
  weeks: { driver_id: 'text', ...columnsOf({ start_date, end_date, ...week }) },
} as const satisfies Record<string, Readonly<Record<string, Kind>>>;

/** The kinds of rows. */
export type Subject = keyof typeof COLUMNS;
