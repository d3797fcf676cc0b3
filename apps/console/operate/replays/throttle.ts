import type { Replay } from '../api.ts';

/** Parses a throttle. Returns null for an invalid string. */
export function parseThrottle(text: string): Replay['throttle'] | null {
  const word = text.trim();
  if (word === 'auto' || word === 'off') return word;
  return /^[1-9][0-9]{0,8}$/.test(word) ? Number(word) : null;
}
