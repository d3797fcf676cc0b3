import type { ArchivedPlace } from './archived-line.ts';
import type { ArchiveRange } from './range.ts';

/** What the order of lines shows: positions left out before this line, and what is wrong with the line's own place. */
export interface OrderFinding {
  gap: ArchiveRange | null;
  difference: string | null;
}

/** Follows the positions of an archive's lines: each once, in order, and all of the range that the lines name. */
export class PositionOrder {
  #range: ArchiveRange | null = null;
  #next = 1;

  /** The range that the first line names; null before it. */
  get range(): ArchiveRange | null {
    return this.#range;
  }

  take({ position, from, through }: ArchivedPlace): OrderFinding {
    if (this.#range === null) {
      this.#range = { from, through };
      this.#next = from;
    }
    const range = this.#range;
    if (from !== range.from || through !== range.through) {
      const difference = `belongs to an archive of ${from} to ${through}, and the first line to one of ${range.from} to ${range.through}`;
      return { gap: null, difference };
    }
    if (position < from || position > through) {
      return { gap: null, difference: `lies outside the archive's range of ${from} to ${through}` };
    }
    if (position < this.#next) {
      return { gap: null, difference: `stands out of order, behind position ${this.#next - 1}` };
    }
    const gap = position > this.#next ? { from: this.#next, through: position - 1 } : null;
    this.#next = position + 1;
    return { gap, difference: null };
  }

  /** What is missing behind the last line. */
  end(): ArchiveRange | null {
    if (this.#range === null || this.#next > this.#range.through) return null;
    return { from: this.#next, through: this.#range.through };
  }
}
