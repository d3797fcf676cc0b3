import { computed, signal } from '@preact/signals';

/** Why questions wait before they are asked again. */
export interface Waiting {
  reason: 'rate_limited' | 'unavailable' | 'unreachable';
  /** When the next attempt comes, in epoch milliseconds. */
  until: number;
}

const all = signal<readonly Waiting[]>([]);

/** What the visitor is told of at the top of every view: the newest of all that wait, or null while answers come. */
export const waiting = computed(() => all.value.at(-1) ?? null);

/** Puts what a question waits for in the place of what it waited for before; null stands for nothing. */
export function replaceWaiting(before: Waiting | null, now: Waiting | null): void {
  const others = all.value.filter((one) => one !== before);
  all.value = now === null ? others : [...others, now];
}

const LONGEST_MILLISECONDS = 60_000;

/** How long to wait before the attempt after `attempts` failed ones, in milliseconds. */
export function restBefore(attempts: number, retryAfter: string | null): number {
  const seconds = retryAfter === null || !/^\d+$/.test(retryAfter) ? Math.min(2 ** attempts, 10) : Number(retryAfter);
  return Math.min(Math.max(seconds, 1) * 1_000, LONGEST_MILLISECONDS);
}
