import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { atMost } from './results.ts';

/** Linux reports processor time in hundredths of a second, whatever the frequency of the kernel's timer. */
const TICKS_PER_SECOND = 100;

function parseStat(text: string) {
  // The name, which is in parentheses, may contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    id: Number.parseInt(text, 10),
    parent: Number(fields[1]),
    /** The processor time of the process and of its ended children. */
    seconds: fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) / TICKS_PER_SECOND,
  };
}

/** Returns a file's text, or an empty string if the file or its process no longer exists. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Returns all processes, or none if /proc does not exist. */
function processes() {
  const ids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  const texts = ids.map((id) => textOf(`/proc/${id}/stat`));
  return texts.filter((text) => text !== '').map(parseStat);
}

/** Returns the processor seconds of each named process together with all its descendants. */
export function processorSeconds(roots: Record<string, number | undefined>): Record<string, number> {
  const all = processes();
  const secondsOf = (id: number): number =>
    all
      .filter((stat) => stat.parent === id)
      .reduce((sum, child) => sum + secondsOf(child.id), all.find((stat) => stat.id === id)?.seconds ?? 0);
  return Object.fromEntries(Object.entries(roots).map(([name, id]) => [name, id ? secondsOf(id) : 0]));
}

/** Returns a process's peak resident memory in MiB, or NaN if /proc does not exist. */
export function peakMebibytes(id: number | undefined): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(textOf(`/proc/${id}/status`))?.[1]) / 1024;
}

/** The goal for the peak memory of each process. */
export const MAX_MEBIBYTES = atMost(512);
