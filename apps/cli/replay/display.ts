import { SingleBar } from 'cli-progress';
import { phaseLine, progressLine } from './progress-line.ts';
import type { ReplayView } from './view.ts';

/** Tells on stderr how a replay goes on. */
export interface Display {
  show: (view: ReplayView) => void;
  /** A line that stays. */
  say: (line: string) => void;
  stop: () => void;
}

function inPipe(): Display {
  let last = '';
  return {
    show(view) {
      const state = `${view.phase} ${view.halted}`;
      if (state !== last) process.stderr.write(`${phaseLine(view)}\n`);
      last = state;
    },
    say: (line) => process.stderr.write(`${line}\n`),
    stop: () => {},
  };
}

function onTerminal(): Display {
  let bar: SingleBar | null = null;
  let line = '';
  const stop = () => {
    bar?.stop();
    bar = null;
  };
  return {
    show(view) {
      // Asked each time: the window may have been made narrower.
      line = progressLine(view, process.stderr.columns);
      if (bar === null) {
        bar = new SingleBar({
          format: () => line,
          clearOnComplete: true,
          hideCursor: null,
          linewrap: false,
          stream: process.stderr,
        });
        bar.start(1, 0);
      }
      bar.update(0);
    },
    say(text) {
      stop();
      process.stderr.write(`${text}\n`);
    },
    stop,
  };
}

/** A progress bar on a terminal; in a pipe a plain line whenever the phase changes. */
export function openDisplay(): Display {
  return process.stderr.isTTY ? onTerminal() : inPipe();
}
