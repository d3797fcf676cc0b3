import type { ReplayView } from './view.ts';

export interface NextStep {
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
