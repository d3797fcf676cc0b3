import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Start and duration in microseconds. */
  ts: number;
  dur?: number;
  /** Processor time in microseconds. */
  tdur?: number;
  args: { name?: string };
}

const TASK = 'ThreadControllerImpl::RunTask';
const MICROTASKS = 'BlinkScheduler_PerformMicrotaskCheckpoint';

/**
 * Returns how long each task among a thread's events takes, in milliseconds. Microtasks that follow a task, such as
 * rendering, count as part of it.
 */
function tasksOf(events: readonly TraceEvent[]): number[] {
  const tasks: number[] = [];
  let end = 0;
  for (const { name, ts, dur = 0, tdur = 0 } of events) {
    const isWithin = ts < end;
    if (name === TASK && !isWithin) tasks.push(tdur / 1_000);
    else if (name === MICROTASKS && !isWithin) tasks.push((tasks.pop() ?? 0) + tdur / 1_000);
    else continue;
    end = ts + dur;
  }
  return tasks;
}

/**
 * Returns how long each task of a page's main thread takes during `work`, in milliseconds of processor time, because
 * wall-clock time would include the load of a busy machine.
 */
export async function tasksDuring(browser: Browser, page: Page, work: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  let trace: Buffer;
  try {
    await work();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString());
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const isPage = ({ pid, tid }: TraceEvent) => threads.some((thread) => thread.pid === pid && thread.tid === tid);
  return tasksOf(traceEvents.filter(isPage).sort((one, other) => one.ts - other.ts));
}

/** A task with more processor time than this makes a page feel unresponsive. */
export const MAX_MILLISECONDS = 50;

/** Prints a summary of the tasks and returns the longest one's milliseconds. */
export function longestOf(what: string, tasks: readonly number[]): number {
  const sum = tasks.reduce((total, task) => total + task, 0);
  const longest = Math.max(...tasks);
  process.stderr.write(`${what}: ${tasks.length} tasks, ${sum.toFixed(0)} ms, the longest ${longest.toFixed(1)} ms\n`);
  return longest;
}
