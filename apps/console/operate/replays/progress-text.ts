import { durationText } from '../../shared/format.ts';
import type { Replay } from '../api.ts';
import { integerText, wordsOf } from '../text.ts';

export type ReplayProgress = Pick<
  Replay,
  | 'phase'
  | 'halted'
  | 'running'
  | 'position'
  | 'target'
  | 'trips_per_second'
  | 'remaining_seconds'
  | 'remaining_seconds_range'
  | 'throttled_by'
>;

const FINAL_PHASES = new Set<Replay['phase']>(['promoted', 'cancelled', 'dropped']);

/** Whether a replay is in a final phase. */
export function hasEnded({ phase }: Pick<Replay, 'phase'>): boolean {
  return FINAL_PHASES.has(phase);
}

/** A replay's phase, and whether the replay is paused or has failed. */
export function stateText({ phase, halted }: Pick<Replay, 'phase' | 'halted'>): string {
  return halted === null ? wordsOf(phase) : `${wordsOf(phase)}, ${halted}`;
}

function remainingText({ remaining_seconds, remaining_seconds_range: range }: ReplayProgress): string | null {
  if (remaining_seconds === null) return null;
  const between = range ? ` (${durationText(range[0] ?? 0)} to ${durationText(range[1] ?? 0)})` : '';
  return `${durationText(remaining_seconds)} left${between}`;
}

/** A replay's position, speed and remaining time in words. */
export function progressText(replay: ReplayProgress): string {
  const { position, target, trips_per_second, throttled_by, running, halted, phase } = replay;
  const words = [
    `${integerText(position)} of ${integerText(target)}`,
    ...(trips_per_second === null ? [] : [`${integerText(trips_per_second)} trips per second`]),
    ...[remainingText(replay)].filter((text) => text !== null),
    ...(throttled_by === null ? [] : [`throttled because ${throttled_by}`]),
    ...(running || halted !== null || phase === 'waiting' ? [] : ['waiting for a worker']),
  ];
  return words.join(' · ');
}
