import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import type { Cell, Kind, Row } from '@milepost/projections/exports';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

/** Only one row group is in memory at a time. Smaller groups would compress less well. */
const MAX_GROUP_ROWS = 20_000;

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];

/** Throws a RangeError for a value that does not fit in 64 bits, because it would be stored as a different number. */
function toInteger(value: Cell): bigint {
  const integer = BigInt(Number(value));
  if (BigInt.asIntN(64, integer) === integer) return integer;
  throw new RangeError(`The count ${value} does not fit in 64 bits: export CSV or NDJSON instead.`);
}

const INTEGER = { type: 'INT64', convert: toInteger } as const;
const FIGURE = { type: 'DOUBLE', convert: (value: Cell) => value } as const;
const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', convert: (value: Cell) => value } as const;

/** The type of each kind of column in the file, and the function that converts its values. */
const TYPES = {
  text: TEXT,
  'text?': TEXT,
  date: {
    type: 'INT32',
    converted_type: 'DATE',
    convert: (value: Cell) => Date.parse(String(value)) / MILLISECONDS_PER_DAY,
  },
  time: {
    type: 'INT64',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    convert: toInteger,
  },
  integer: INTEGER,
  'integer?': INTEGER,
  figure: FIGURE,
  'figure?': FIGURE,
  flag: { type: 'BOOLEAN', convert: (value: Cell) => value },
} as const satisfies Record<Kind, Omit<Schema[number], 'name'> & { convert: (value: Cell) => unknown }>;

function schemaOf(columns: Readonly<Record<string, Kind>>): Schema {
  const leaves = Object.entries(columns).map(([name, kind]): Schema[number] => {
    const { convert: _, ...type } = TYPES[kind];
    return { name, ...type, repetition_type: kind.endsWith('?') ? 'OPTIONAL' : 'REQUIRED' };
  });
  return [{ name: 'root', num_children: leaves.length }, ...leaves];
}

/** Yields a Parquet file in chunks: at most one per row group of 20,000 rows, and one for the footer. */
export async function* parquetChunks(
  columns: Readonly<Record<string, Kind>>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: schemaOf(columns), createdBy: 'milepost' });
  const entries = Object.entries(columns);
  let group: Row[] = [];

  /** Returns the new bytes, and lets the writer reuse its buffer. */
  function take(): Uint8Array {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  }
  async function writeGroup(): Promise<Uint8Array> {
    const columnData = entries.map(([name, kind]) => {
      const { convert } = TYPES[kind];
      return { name, data: group.map((row) => ((row[name] ?? null) === null ? null : convert(row[name] ?? null))) };
    });
    await parquet.write({ columnData, rowGroupSize: MAX_GROUP_ROWS });
    group = [];
    return take();
  }

  for await (const rows of pages) {
    group.push(...rows);
    if (group.length >= MAX_GROUP_ROWS) yield await writeGroup();
  }
  if (group.length > 0) yield await writeGroup();
  await parquet.finish();
  yield take();
}
