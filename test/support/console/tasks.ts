import type { Page } from 'playwright-core';

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
 * Returns the duration, in milliseconds, of each task in a thread's events. Microtasks that follow a task, such as
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
 * Returns the processor time, in milliseconds, that each task on a page's main thread uses during `work`. Wall-clock
 * time would depend on how busy the machine is.
 */
export async function tasksDuring(page: Page, work: () => Promise<void>): Promise<number[]> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser.');
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
