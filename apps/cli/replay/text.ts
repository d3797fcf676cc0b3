import { isAtRest, nextCommands } from './rest.ts';
import type { ReplayView } from './view.ts';
import {
  percentDone,
  phaseWords,
  remainingWords,
  replaceControlCharacters,
  replayName,
  throttleWords,
} from './words.ts';

function promotion({ phase, promote, accept_differences, kind }: ReplayView): string | null {
  const isOver = ['promoted', 'cancelled', 'cancelling', 'dropped', 'dropping'].includes(phase);
  if (kind === 'roll_back' || isOver) return null;
  if (!promote) return 'on request';
  return accept_differences
    ? 'after verification, even with differences'
    : 'after verification, unless there are unexpected differences';
}

/** Returns the fields' names and values. Fields whose value is null are not shown. */
function fields(view: ReplayView): [name: string, value: string | null][] {
  const { phase, position, target, trips_per_second, cutoff, created_at, requested_by, error, generations } = view;
  const share = phase === 'filling' || phase === 'catching_up' ? `, ${percentDone(view)}%` : '';
  const idle = isAtRest(view) ? null : 'none: is an ops process running (`milepost ops`, or `npm start`)?';
  return [
    ['error', error],
    ['position', `${position} of ${target}${share}`],
    ['speed', trips_per_second === null ? null : `${trips_per_second} trips/s`],
    ['time', remainingWords(view)],
    ['worker', view.running ? 'running' : idle],
    ['throttle', throttleWords(view)],
    ['promotion', promotion(view)],
    ['rows from', cutoff === null ? null : `${cutoff} on`],
    ['requested', `${created_at} by ${requested_by}`],
    ['ended', view.finished_at],
    ...generations.map(({ projection, generation, version, checkpoint }, index): [string, string] => [
      index === 0 ? 'generations' : '',
      `${projection} ${generation}, version ${version}, at position ${checkpoint}`,
    ]),
    ...nextCommands(view).map(({ command, summary }, index): [string, string] => [
      index === 0 ? 'next' : '',
      `${command}: ${summary}`,
    ]),
  ];
}

/**
 * Returns a replay as human-readable text: its fields and the commands that currently apply. The text ends with a line
 * break.
 */
export function replayText(view: ReplayView): string {
  const shown = fields(view).filter(([, value]) => value !== null);
  const width = Math.max(...shown.map(([name]) => name.length));
  const lines = [
    `${replayName(view)}: ${phaseWords(view)}`,
    ...shown.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
  ];
  return `${replaceControlCharacters(lines.join('\n'))}\n`;
}
