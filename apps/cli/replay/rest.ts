import { type Phase, RESTING_PHASES } from '@milepost/replay';
import type { ReplayView } from './view.ts';
import { harmless, phaseWords } from './words.ts';

interface NextStep {
  command: string;
  effect: string;
}

const step = (words: string, effect: string): NextStep => ({ command: `milepost replay ${words}`, effect });

function whileWaiting({ id, verification }: ReplayView): NextStep[] {
  const isUnexpected = verification !== null && !verification.expected;
  return [
    isUnexpected
      ? step(`promote ${id} --accept-differences`, 'make it live although nothing explains the differences')
      : step(`promote ${id}`, 'make it live'),
    step(`drop ${id}`, 'remove what it has built'),
  ];
}

function whileUnderWay({ id, promote, halted }: ReplayView): NextStep[] {
  const cancel = step(`cancel ${id}`, 'end it and remove what it has built');
  if (halted === 'failed') return [step(`resume ${id}`, 'go on where it stopped, once the cause is mended'), cancel];
  if (halted === 'paused') return [step(`resume ${id}`, 'go on where it stopped'), cancel];
  return [
    step(`watch ${id}`, 'look on until it rests'),
    step(`pause ${id}`, 'let it stand still'),
    step(`throttle ${id} RATE|auto|off`, 'change how fast it may go'),
    ...(promote ? [] : [step(`promote ${id}`, 'make it live once it is verified')]),
    cancel,
  ];
}

/** The commands that make sense for a replay as it stands. */
export function nextSteps(view: ReplayView): NextStep[] {
  const { id, phase, projection, halted } = view;
  switch (phase) {
    case 'waiting':
      return whileWaiting(view);
    case 'promoted':
      if (!view.can_be_rolled_back) return [];
      return [
        step(`rollback ${projection}`, 'make the read tables live again that it replaced'),
        step(`drop ${id}`, 'remove those; then it cannot be rolled back any more'),
      ];
    case 'cancelling':
    case 'dropping':
      return halted === null ? [] : [step(`resume ${id}`, 'try again, once the cause is mended')];
    case 'cancelled':
    case 'dropped':
      return [];
    default:
      return whileUnderWay(view);
  }
}

/** Whether nothing more happens to a replay until somebody asks for it. */
export function isAtRest({ phase, halted }: Pick<ReplayView, 'phase' | 'halted'>): boolean {
  return halted !== null || RESTING_PHASES.includes(phase);
}

/** The phases that whoever waits wants a replay to rest in. */
const GOALS = {
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
