/** A position in a primary's write-ahead log. */
interface PrimaryPosition {
  /** If a server has replayed this many bytes, it has everything that had been committed by the time `at`. */
  written: number;
  /** Milliseconds since this process started. */
  at: number;
}

/** The recent positions in a primary's write-ahead log, against which the delay of a standby is measured. */
export class PrimaryPositions {
  readonly #maxAgeMilliseconds: number;
  /** Oldest first. */
  #positions: readonly PrimaryPosition[] = [];

  /**
   * @param maxAgeMilliseconds the age at which a position is forgotten, because a standby that far behind is not used
   */
  constructor(maxAgeMilliseconds: number) {
    this.#maxAgeMilliseconds = maxAgeMilliseconds;
  }

  /** Adds a position that is later than all known positions. */
  add(position: PrimaryPosition): void {
    const recent = this.#positions.filter(({ at }) => position.at - at <= this.#maxAgeMilliseconds);
    this.#positions = [...recent, position];
  }

  /** Returns the time up to which a server that has replayed this many bytes has all commits; -Infinity if unknown. */
  timeOf(replayed: number): number {
    return this.#positions.findLast(({ written }) => written <= replayed)?.at ?? Number.NEGATIVE_INFINITY;
  }
}
