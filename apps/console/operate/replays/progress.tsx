import { durationText } from '../../shared/format.ts';
import { inWords, whole } from '../figures.ts';
import type { Replay } from '../requests.ts';

type Shown = Pick<
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

const ENDS = new Set<Replay['phase']>(['promoted', 'cancelled', 'dropped']);

export function hasEnded({ phase }: Pick<Replay, 'phase'>): boolean {
  return ENDS.has(phase);
}

/** Where a replay is, in a few words. */
export function stateText({ phase, halted }: Pick<Replay, 'phase' | 'halted'>): string {
  return halted === null ? inWords(phase) : `${inWords(phase)}, ${halted}`;
}

function remainingText({ remaining_seconds, remaining_seconds_range: range }: Shown): string | null {
  if (remaining_seconds === null) return null;
  const between = range ? ` (${durationText(range[0] ?? 0)} to ${durationText(range[1] ?? 0)})` : '';
  return `${durationText(remaining_seconds)} left${between}`;
}

/** How far a replay has come, how fast it goes and how long it still takes. */
export function Progress({ replay, label }: { replay: Shown; label: string }) {
  const { position, target, trips_per_second, throttled_by, running, halted } = replay;
  if (hasEnded(replay)) return null;
  const words = [
    `${whole(position)} of ${whole(target)}`,
    ...(trips_per_second === null ? [] : [`${whole(trips_per_second)} trips a second`]),
    ...[remainingText(replay)].filter((text) => text !== null),
    ...(throttled_by === null ? [] : [`held back: ${throttled_by}`]),
    ...(running || halted !== null || replay.phase === 'waiting' ? [] : ['no worker has it in hand']),
  ];
  return (
    <div class="progress">
      <progress aria-label={label} value={position} max={Math.max(1, target)} />
      <p class="quiet">{words.join(' · ')}</p>
    </div>
  );
}
