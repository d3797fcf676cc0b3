import { causeOf } from '@milepost/service';
import { type Options, SingleBar } from 'cli-progress';
import { say } from './output.ts';

export interface Progress {
  /** Shows a new value. `total` is null while it is unknown. */
  update: (value: number, total: number | null) => void;
  stop: () => void;
}

const SI_PREFIXES = ['', 'k', 'M', 'G', 'T'];

/** Returns a count in short form: 950, 12.3 k, 4.56 M. */
export function compact(value: number): string {
  // If the unrounded value determined the prefix, 999,500 would be written as 1.00e+3 k.
  const rounded = Number(value.toPrecision(3));
  const power = rounded < 1 ? 0 : Math.min(SI_PREFIXES.length - 1, Math.floor(Math.log10(rounded) / 3));
  const prefix = SI_PREFIXES[power] ?? '';
  return prefix === '' ? String(Math.round(rounded)) : `${(rounded / 1000 ** power).toPrecision(3)} ${prefix}`;
}

/** Returns a duration in short form: 42s, 3m05s, 2h10m. */
export function remaining(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?';
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole}s`;
  const pad = (value: number) => String(value).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)}m${pad(whole % 60)}s`;
  return `${Math.floor(whole / 3600)}h${pad(Math.floor((whole % 3600) / 60))}m`;
}

/**
 * Shows a progress bar on stderr, with the rate and the remaining time. The bar shows nothing if stderr is not a
 * terminal.
 *
 * @param unit the text after a number, such as ` B` or ` records`
 */
export function startProgress(label: string, unit: string): Progress {
  const started = performance.now();
  const format: Options['format'] = (options, { progress, value, total }) => {
    const rate = value / Math.max(0.001, (performance.now() - started) / 1000);
    const amount = `${compact(value)}${unit}, ${compact(rate)}${unit}/s`;
    if (total <= 0) return `${label}: ${amount}`;
    const done = Math.round(progress * 24);
    const bar = `${options.barCompleteString?.slice(0, done)}${options.barIncompleteString?.slice(0, 24 - done)}`;
    return `${label} ${bar} ${Math.floor(progress * 100)}%, ${amount}, ${remaining((total - value) / rate)} left`;
  };
  const bar = new SingleBar({ format, clearOnComplete: true, hideCursor: null, stream: process.stderr });
  bar.start(0, 0);
  return {
    update: (value, total) => {
      if (total !== null) bar.setTotal(total);
      bar.update(value);
    },
    stop: () => bar.stop(),
  };
}

/** Runs work with a progress bar, and removes the bar at the end. */
export async function withProgressBar<Result>(
  label: string,
  unit: string,
  work: (update: Progress['update']) => Promise<Result>,
): Promise<Result> {
  const progress = startProgress(label, unit);
  try {
    return await work(progress.update);
  } finally {
    progress.stop();
  }
}

/** The minimum time between two reports of transient errors. */
const ERROR_MILLISECONDS = 10_000;

/** Returns a listener that reports transient errors on stderr, at most one every 10 seconds. */
export function createRetryReporter(sentence: string): (error: unknown) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - reportedAt < ERROR_MILLISECONDS) return;
    reportedAt = performance.now();
    say(`${sentence}: ${causeOf(error)}. Retrying.`);
  };
}
