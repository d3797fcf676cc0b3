/**
 * Before a value, a serializer that uses a schema registry writes a header of a zero byte and four bytes of schema id.
 */
const FRAME_BYTES = 5;
const MAGIC = 0;
const OPEN_BRACE = 0x7b;
const WHITE_SPACE: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/** The schema id from a schema registry's header, and the value that follows the header. */
interface Framed {
  schemaId: number;
  value: Uint8Array;
  /** Whether the value begins like a JSON object. If not, it has another format, such as Avro or Protobuf. */
  isJson: boolean;
}

/** Splits a value that begins with a schema registry's header; returns null when there is no such header. */
export function readSchemaFrame(bytes: Uint8Array): Framed | null {
  if (bytes[0] !== MAGIC || bytes.byteLength <= FRAME_BYTES) return null;
  const value = bytes.subarray(FRAME_BYTES);
  const schemaId = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  const first = value.find((byte) => !WHITE_SPACE.includes(byte));
  return { schemaId, value, isJson: first === OPEN_BRACE };
}
