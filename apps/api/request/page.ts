import type { QueryString } from '@milepost/http';
import Type from 'typebox';

interface Range {
  minimum: number;
  maximum: number;
  default: number;
}

const LIMIT: Range = { minimum: 1, maximum: 100, default: 50 };
const PAGE: Range = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 };

export const Limit = Type.Integer({ ...LIMIT, description: 'Records per page.' });
export const PageNumber = Type.Integer({ ...PAGE, description: 'Page number. A page past the end is empty.' });

function readInteger(query: QueryString, name: string, range: Range): number {
  const text = query.single(name);
  if (text === undefined) return range.default;
  // Number() alone would take " 5", "5.0", "0x5" and "5e0" as well.
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.minimum && value <= range.maximum) return value;
  query.reject(name, `Must be a plain decimal integer from ${range.minimum} to ${range.maximum}.`);
  return range.default;
}

export function readLimit(query: QueryString): number {
  return readInteger(query, 'limit', LIMIT);
}

export function readPageNumber(query: QueryString): number {
  return readInteger(query, 'page', PAGE);
}
