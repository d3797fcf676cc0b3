import type { Replay, ReplayControl } from './replay.ts';

type State = Pick<Replay, 'phase' | 'halted' | 'promote'> & { live: boolean; can_be_rolled_back: boolean };

/** Returns the controls that apply to a replay in this state, the most likely first. */
export function nextControls({ phase, halted, promote, live, can_be_rolled_back }: State): ReplayControl[] {
  switch (phase) {
    case 'waiting':
      return ['promote', 'drop'];
    case 'promoted':
      if (can_be_rolled_back) return ['roll_back', 'drop'];
      // A live replay that did not replace a generation has nothing to drop.
      return live ? [] : ['drop'];
    case 'cancelled':
    case 'dropped':
      return [];
    case 'cancelling':
    case 'dropping':
      return halted === null ? [] : ['resume'];
    default:
      if (halted !== null) return ['resume', 'throttle', 'cancel'];
      return ['pause', 'throttle', ...(promote ? [] : (['promote'] as const)), 'cancel'];
  }
}
