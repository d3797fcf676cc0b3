import { isAtRest, nextSteps } from './rest.ts';
import type { ReplayView } from './view.ts';
import { harmless, percentDone, phaseWords, remainingWords, throttleWords } from './words.ts';

/** In no order that matters; the longest decides where the values begin. */
type Field = readonly [name: string, value: string | null];

function progress(view: ReplayView): Field[] {
  const { phase, position, target, trips_per_second } = view;
  const share = phase === 'filling' || phase === 'catching_up' ? `, ${percentDone(view)} %` : '';
  return [
    ['position', `${position} of ${target}${share}`],
    ['speed', trips_per_second === null ? null : `${trips_per_second} trips/s`],
    ['time', remainingWords(view)],
  ];
}

function worker({ phase, halted, running }: ReplayView): string | null {
  if (running) return 'at work';
  const isOver = isAtRest({ phase, halted });
  return isOver ? null : 'none has it in hand: is an ops process running (`milepost ops`, or `npm start`)?';
}

function promotion({ phase, promote, accept_differences, kind }: ReplayView): string | null {
  if (kind === 'roll_back' || ['promoted', 'cancelled', 'cancelling', 'dropped', 'dropping'].includes(phase))
    return null;
  if (!promote) return 'when you say so';
  return accept_differences ? 'once verified, whatever differs' : 'once verified, unless something unexpected differs';
}

function fields(view: ReplayView): Field[] {
  return [
    ...progress(view),
    ['worker', worker(view)],
    ['throttle', throttleWords(view)],
    ['promotion', promotion(view)],
    ['rows from', view.cutoff === null ? null : `${view.cutoff} on`],
    ['asked for', `${view.created_at} by ${view.requested_by}`],
    ['ended', view.finished_at],
    ...view.generations.map(
      ({ projection, generation, version, checkpoint }, index): Field => [
        index === 0 ? 'generations' : '',
        `${projection} ${generation}, version ${version}, at position ${checkpoint}`,
      ],
    ),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

/** A replay for people: how it stands, what went wrong, and the commands that make sense now. Ends with a line end. */
export function replayText(view: ReplayView): string {
  const shown = fields(view).filter(([, value]) => value !== null);
  const width = Math.max(...shown.map(([name]) => name.length));
  const steps = nextSteps(view);
  const longest = Math.max(0, ...steps.map(({ command }) => command.length));
  const what = view.kind === 'roll_back' ? 'Roll back' : 'Replay';
  const lines = [
    `${what} ${view.id} of ${view.projection}: ${phaseWords(view)}`,
    ...shown.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    ...section(view.halted === 'failed' ? 'What went wrong:' : 'Note:', view.error === null ? [] : [view.error]),
    ...section(
      'What can be done:',
      steps.map(({ command, effect }) => `${command.padEnd(longest)}  ${effect}`),
    ),
  ];
  return `${harmless(lines.join('\n'))}\n`;
}
