/** The value of a column in a copied row. */
export type CopyValue = string | number | boolean | null;

/** Rows in one of the formats that COPY reads. */
export interface CopiedRows {
  format: 'text' | 'binary';
  bytes: Buffer;
}

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(text: string): string {
  // Few strings need escaping, and this test takes only a tenth of the time that a replacement takes.
  return SPECIAL.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character) : text;
}

function field(value: CopyValue): string {
  switch (typeof value) {
    case 'string':
      return escaped(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'boolean':
      return value ? 't' : 'f';
    default:
      return '\\N';
  }
}

/** Formats rows in COPY's text format, for columns of any type. */
export function copyText<Row>(rows: readonly Row[], columns: readonly ((row: Row) => CopyValue)[]): CopiedRows {
  let text = '';
  for (const row of rows) {
    let separator = '';
    for (const column of columns) {
      text += separator + field(column(row));
      separator = '\t';
    }
    text += '\n';
  }
  return { format: 'text', bytes: Buffer.from(text) };
}

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const INT2_BYTES = 2;
const INT4_BYTES = 4;
const INT8_BYTES = 8;
const NULL = -1;

/**
 * Formats rows with a bigint and several bytea columns in COPY's binary format, which stores bytes unchanged. The text
 * format would double their size.
 */
export function copyBinary(rows: readonly { key: number; values: readonly (Uint8Array | null)[] }[]): CopiedRows {
  let length = SIGNATURE.byteLength + INT2_BYTES;
  for (const { values } of rows) {
    length += INT2_BYTES + INT4_BYTES + INT8_BYTES;
    for (const value of values) length += INT4_BYTES + (value?.byteLength ?? 0);
  }
  const bytes = Buffer.allocUnsafe(length);
  SIGNATURE.copy(bytes);
  let at = SIGNATURE.byteLength;
  for (const { key, values } of rows) {
    at = bytes.writeInt16BE(1 + values.length, at);
    at = bytes.writeInt32BE(INT8_BYTES, at);
    at = bytes.writeBigInt64BE(BigInt(key), at);
    for (const value of values) {
      at = bytes.writeInt32BE(value === null ? NULL : value.byteLength, at);
      if (value === null) continue;
      bytes.set(value, at);
      at += value.byteLength;
    }
  }
  bytes.writeInt16BE(-1, at);
  return { format: 'binary', bytes };
}
