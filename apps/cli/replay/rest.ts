import { type Phase, RESTING_PHASES } from '@milepost/replay';
import { nextSteps } from './next-steps.ts';
import type { ReplayView } from './view.ts';
import { harmless, phaseWords } from './words.ts';

/** Whether nothing more happens to a replay until somebody asks for it. */
export function isAtRest({ phase, halted }: Pick<ReplayView, 'phase' | 'halted'>): boolean {
  return halted !== null || RESTING_PHASES.includes(phase);
}

/** The phases that whoever waits wants a replay to rest in. */
export const GOALS = {
  built: ['waiting', 'promoted'],
  promoted: ['promoted'],
  cancelled: ['cancelled'],
  /** One whose read tables are live stays promoted: what it replaced is dropped. */
  dropped: ['dropped', 'promoted'],
  /** Whoever only looks on is content with any end but those of a replay that came to nothing. */
  ended: ['waiting', 'promoted', 'dropped'],
} as const satisfies Record<string, readonly Phase[]>;
export type Goal = keyof typeof GOALS;

/** Whether a replay at rest has come to where it was meant to. One that was to be promoted and is not has not. */
export function isReached({ phase, promote }: ReplayView, goal: Goal): boolean {
  const goals: readonly Phase[] = GOALS[goal];
  return goals.includes(phase) && !(phase === 'waiting' && promote);
}

function verdict({ verification }: ReplayView): string {
  if (verification === null) return 'is built';
  if (verification.equal) return 'is verified as equal to the live read tables';
  const differences = verification.differences === 1 ? '1 row differs' : `${verification.differences} rows differ`;
  return `is verified, and ${differences} from the live read tables${verification.expected ? ', as its changed version explains' : ', which nothing explains'}`;
}

/** What became of a replay at rest, in one sentence, and the commands that make sense now. */
export function restSentence(view: ReplayView): string {
  const { id, projection, phase, halted, error } = view;
  const steps = nextSteps(view).map(({ command, effect }) => `\`${command}\`: ${effect}`);
  const next = steps.length === 0 ? '' : ` ${steps.join('; ')}.`;
  const name = `Replay ${id} of ${projection}`;
  if (halted !== null) return harmless(`${name} ${phaseWords(view)}${error === null ? '' : `: ${error}`}.${next}`);
  if (phase === 'waiting' && error !== null) return harmless(`${name} waits. ${error}`);
  if (phase === 'waiting') return `${name} ${verdict(view)}, and waits.${next}`;
  if (phase === 'promoted' && view.kind === 'roll_back' && view.live)
    return `Replay ${id} has rolled ${projection} back, and what it made live again is live.${next}`;
  const isFinal = phase === 'promoted' && view.live && !view.can_be_rolled_back;
  return `${name} is ${phaseWords(view)}${isFinal ? ', and can no longer be rolled back' : ''}.${next}`;
}
