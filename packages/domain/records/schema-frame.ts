/** A serializer of a schema registry writes a zero, and the id of the schema in four bytes, before the value. */
const FRAME_BYTES = 5;
const MAGIC = 0;
const OPEN_BRACE = 0x7b;
const WHITE_SPACE: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/** The value after the frame of a schema registry. */
interface Framed {
  schemaId: number;
  value: Uint8Array;
  /** Whether the value begins like a JSON object. Otherwise it is in another format, such as Avro or Protobuf. */
  isJson: boolean;
}

/** Returns the parts of a value that has the frame of a schema registry; null when it has none. */
export function readSchemaFrame(bytes: Uint8Array): Framed | null {
  if (bytes[0] !== MAGIC || bytes.byteLength <= FRAME_BYTES) return null;
  const value = bytes.subarray(FRAME_BYTES);
  const schemaId = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  const first = value.find((byte) => !WHITE_SPACE.includes(byte));
  return { schemaId, value, isJson: first === OPEN_BRACE };
}
