import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Beginning and duration in microseconds. */
  ts: number;
  dur?: number;
  /** Processor time in microseconds. */
  tdur?: number;
  args: { name?: string };
}

const TASK = 'ThreadControllerImpl::RunTask';
const MICROTASKS = 'BlinkScheduler_PerformMicrotaskCheckpoint';

/** The tasks among the events of a thread, in milliseconds. Microtasks that come after a task, as rendering does, count with it. */
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
 * The tasks of a page's main thread while `work` was done, in milliseconds of processor time: what a busy machine takes away
 * is not the page's fault.
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

/** More than this of processor time at a stretch, and a page is felt to stand still. */
export const LONGEST_MILLISECONDS = 50;

/** The longest of some tasks, in milliseconds. What they were is printed. */
export function longestOf(what: string, tasks: readonly number[]): number {
  const sum = tasks.reduce((total, task) => total + task, 0);
  const longest = Math.max(...tasks);
  process.stderr.write(`${what}: ${tasks.length} tasks, ${sum.toFixed(0)} ms, the longest ${longest.toFixed(1)} ms\n`);
  return longest;
}
