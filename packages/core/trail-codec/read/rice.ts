import { RICE } from '../format.ts';
import { type BitReader, DamagedBytesError, unzigzag } from './bit-reader.ts';

// The compiler inlines local constants, but not imported ones.
const { BLOCK_LENGTH, PARAMETER_BITS, MAX_PARAMETER, WIDE, WIDE_PARAMETER_BITS, MAX_WIDE_PARAMETER } = RICE;
const { ESCAPE_QUOTIENT, WORD_BITS } = RICE;
const ESCAPE_MASK = 2 ** ESCAPE_QUOTIENT - 1;

function readWideBlock(reader: BitReader, residuals: Float64Array, start: number, end: number): void {
  const parameter = reader.read(WIDE_PARAMETER_BITS);
  if (parameter > MAX_WIDE_PARAMETER) {
    throw new DamagedBytesError(`A wide block has the Rice parameter ${parameter}, more than ${MAX_WIDE_PARAMETER}.`);
  }
  const divisor = 2 ** parameter;
  for (let index = start; index < end; index++) {
    const bits = reader.peek();
    if ((bits & ESCAPE_MASK) === 0) {
      reader.skip(ESCAPE_QUOTIENT);
      residuals[index] = unzigzag(reader.readNumber());
      continue;
    }
    const quotient = 31 - Math.clz32(bits & -bits);
    reader.skip(quotient + 1);
    residuals[index] = unzigzag(quotient * divisor + reader.readWide(parameter));
  }
}

/** Reads residuals[i] for 1 <= i < count. Throws DamagedBytesError. */
export function readRice(reader: BitReader, residuals: Float64Array, count: number): void {
  for (let start = 1; start < count; start += BLOCK_LENGTH) {
    const end = Math.min(start + BLOCK_LENGTH, count);
    const parameter = reader.read(PARAMETER_BITS);
    if (parameter === WIDE) {
      readWideBlock(reader, residuals, start, end);
      continue;
    }
    if (parameter > MAX_PARAMETER) {
      throw new DamagedBytesError(`A block has the Rice parameter ${parameter}, more than ${MAX_PARAMETER}.`);
    }
    const mask = (1 << parameter) - 1;
    for (let index = start; index < end; index++) {
      const bits = reader.peek();
      if ((bits & ESCAPE_MASK) === 0) {
        reader.skip(ESCAPE_QUOTIENT);
        residuals[index] = unzigzag(reader.readNumber());
        continue;
      }
      const quotient = 31 - Math.clz32(bits & -bits);
      let remainder = (bits >>> (quotient + 1)) & mask;
      if (quotient + 1 + parameter <= WORD_BITS) {
        reader.skip(quotient + 1 + parameter);
      } else {
        reader.skip(quotient + 1);
        remainder = reader.read(parameter);
      }
      const number = (quotient << parameter) | remainder;
      residuals[index] = (number >>> 1) ^ -(number & 1);
    }
  }
}
