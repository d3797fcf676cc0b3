import type { Delivery } from './dirt.ts';

interface Entry {
  delivery: Delivery;
  order: number;
}

function isBefore(one: Entry, other: Entry): boolean {
  if (one.delivery.time !== other.delivery.time) return one.delivery.time < other.delivery.time;
  return one.order < other.order;
}

/** Deliveries by time, and in the order of their adding where the time is the same: a binary heap. */
export class DeliveryQueue {
  private readonly heap: Entry[] = [];
  private added = 0;

  add(delivery: Delivery): void {
    const entry = { delivery, order: this.added++ };
    let at = this.heap.length;
    this.heap.push(entry);
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = this.heap[parentAt];
      if (!parent || !isBefore(entry, parent)) break;
      this.heap[at] = parent;
      at = parentAt;
    }
    this.heap[at] = entry;
  }

  /** Takes the earliest delivery if its time is before `time`. */
  takeBefore(time: number): Delivery | undefined {
    const first = this.heap[0];
    if (!first || first.delivery.time >= time) return undefined;
    const last = this.heap.pop();
    if (last && this.heap.length > 0) this.sink(last);
    return first.delivery;
  }

  private sink(entry: Entry): void {
    let at = 0;
    for (;;) {
      const leftAt = 2 * at + 1;
      const left = this.heap[leftAt];
      if (!left) break;
      const right = this.heap[leftAt + 1];
      const [child, childAt] = right && isBefore(right, left) ? [right, leftAt + 1] : [left, leftAt];
      if (!isBefore(child, entry)) break;
      this.heap[at] = child;
      at = childAt;
    }
    this.heap[at] = entry;
  }
}
