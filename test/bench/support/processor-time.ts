import { readdirSync, readFileSync } from 'node:fs';
import { atMost } from './results.ts';

/** Linux reports processor time in hundredths of a second, whatever the frequency of the kernel's timer. */
const TICKS_PER_SECOND = 100;

function parseStat(text: string) {
  // The name, which is in parentheses, may contain spaces and parentheses.
  const nameEnd = text.lastIndexOf(')');
  const fields = text.slice(nameEnd + 2).split(' ');
  const [userTicks, systemTicks, childUserTicks, childSystemTicks] = fields.slice(11, 15).map(Number);
  const ticks = (userTicks ?? 0) + (systemTicks ?? 0) + (childUserTicks ?? 0) + (childSystemTicks ?? 0);
  return {
    id: Number.parseInt(text, 10),
    name: text.slice(text.indexOf('(') + 1, nameEnd),
    parent: Number(fields[1]),
    /** The processor time of the process and of its ended children. */
    seconds: ticks / TICKS_PER_SECOND,
  };
}

function readable(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Returns all processes, or none if /proc does not exist. */
function processes() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((id) => readable(`/proc/${id}/stat`))
      .filter((text) => text !== null)
      .map(parseStat);
  } catch {
    return [];
  }
}

/** Returns the id of this process's child that runs a program with this name, or null if there is none. */
export function childNamed(name: string): number | null {
  return processes().find((stat) => stat.parent === process.pid && stat.name === name)?.id ?? null;
}

/** Returns the processor seconds of each named process together with all its descendants. */
export function processorSeconds(roots: Record<string, number | null | undefined>): Record<string, number> {
  const all = processes();
  const secondsOf = (id: number): number =>
    all
      .filter((stat) => stat.parent === id)
      .reduce((sum, child) => sum + secondsOf(child.id), all.find((stat) => stat.id === id)?.seconds ?? 0);
  return Object.fromEntries(Object.entries(roots).map(([name, id]) => [name, id ? secondsOf(id) : 0]));
}

/** Returns a process's peak resident memory in MiB, or NaN if /proc does not exist. */
export function peakMebibytes(id: number | undefined): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readable(`/proc/${id}/status`) ?? '')?.[1]) / 1024;
}

/** The goal for the peak memory of each process. */
export const MAX_MEBIBYTES = atMost(512);
