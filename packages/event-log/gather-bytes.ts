import type { PreparedRecord } from './prepare.ts';

/** The lists of a record that are kept as bytes. */
function listsOf(record: PreparedRecord): { trailPath: Uint8Array; tripEvents: Uint8Array | null } | null {
  return record.storable && record.draft.content.kind === 'trip.processed' ? record.draft.content : null;
}

/**
 * Moves the bytes of all `records` into one buffer, which is theirs alone: it can be handed to another thread, where a
 * buffer each would be copied or handed over one by one.
 *
 * @returns the buffer; the records are views of it from now on
 */
export function gatherBytes(records: readonly PreparedRecord[]): ArrayBuffer {
  const lists = records.map(listsOf).filter((content) => content !== null);
  const length = lists.reduce((sum, list) => sum + list.trailPath.byteLength + (list.tripEvents?.byteLength ?? 0), 0);
  const buffer = new ArrayBuffer(length);
  let at = 0;
  const moved = (bytes: Uint8Array) => {
    const view = new Uint8Array(buffer, at, bytes.byteLength);
    view.set(bytes);
    at += bytes.byteLength;
    return view;
  };
  for (const list of lists) {
    list.trailPath = moved(list.trailPath);
    if (list.tripEvents !== null) list.tripEvents = moved(list.tripEvents);
  }
  return buffer;
}
