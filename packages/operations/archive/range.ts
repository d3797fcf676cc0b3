/** A closed range of positions: both ends belong to it. */
export interface ArchiveRange {
  from: number;
  through: number;
}

/**
 * The range that an archive is made of, from the first position to the head unless told otherwise. Throws when it is
 * empty or ends behind the head: what is not stored yet would make the archive mean something else tomorrow.
 */
export function closedRange(head: number, from: number = 1, through: number = head): ArchiveRange {
  if (head === 0) throw new Error('The log is empty: there is nothing to archive.');
  if (through > head) throw new Error(`The log ends at position ${head}, so an archive cannot go through ${through}.`);
  if (from > through)
    throw new Error(`From position ${from} through ${through} there is nothing: the log ends at ${head}.`);
  return { from, through };
}
