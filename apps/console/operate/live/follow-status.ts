import { effect, signal } from '@preact/signals';
import { queryClient } from '../../shared/query-client.ts';
import { retryDelayMilliseconds } from '../../shared/retry.ts';
import { key } from '../../shared/session.ts';
import { fetchReadiness, openEvents, type Readiness, type Status } from '../api.ts';
import { lane } from '../lane.ts';
import { changedPaths } from './changed-paths.ts';
import { EventReader, type ServerEvent } from './event-reader.ts';
import { type Observation, observationOf, withObservation } from './rates.ts';

/** The state of the connection through which the status arrives. */
type Connection =
  | { state: 'connecting' }
  | { state: 'live' }
  /** `since` is the time when the last status was received, in epoch milliseconds; null if none has been received. */
  | { state: 'lost'; since: number | null; reason: string };

export const connection = signal<Connection>({ state: 'connecting' });
export const status = signal<Status | null>(null);
export const readiness = signal<Readiness | null>(null);
export const observations = signal<readonly Observation[]>([]);

/** The server sends a status every two seconds. If no status arrives for this long, the connection counts as lost. */
const SILENCE_TIMEOUT_MILLISECONDS = 10_000;

const SILENT = 'The server has sent nothing for ten seconds.';
const ENDED = 'The server closed the connection.';
const UNREADABLE = 'The server sent a status that cannot be read.';
const UNREACHABLE = 'The server cannot be reached.';

function setLost(reason: string): void {
  connection.value = { state: 'lost', since: observations.value.at(-1)?.at ?? null, reason };
}

async function updateReadiness(signal: AbortSignal): Promise<void> {
  const next = await fetchReadiness(signal).catch(() => null);
  if (!signal.aborted) readiness.value = next;
}

function applyStatus(next: Status, signal: AbortSignal): void {
  const paths = changedPaths(status.value, next);
  status.value = next;
  observations.value = withObservation(observations.value, observationOf(next, Date.now()));
  connection.value = { state: 'live' };
  for (const path of paths) {
    // An in-flight request is not cancelled. Otherwise, a request that takes longer than the interval between statuses
    // would never finish.
    void queryClient.invalidateQueries({ queryKey: [path] }, { cancelRefetch: false });
  }
  void updateReadiness(signal);
}

function receive({ name, data }: ServerEvent, signal: AbortSignal): void {
  if (name === 'unavailable') setLost('The server cannot read the status at the moment.');
  // The OpenAPI document describes this event's data.
  if (name === 'status') applyStatus(JSON.parse(data), signal);
}

/** Reads a connection until it ends and returns the reason. */
async function readStream(signal: AbortSignal, onEvent: () => void): Promise<string> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_TIMEOUT_MILLISECONDS);
  try {
    const response = await openEvents(AbortSignal.any([signal, silence.signal]));
    if (!response.ok || response.body === null) return `The server responded with status ${response.status}.`;
    const reader = new EventReader();
    const chunks = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await chunks.read();
      if (done) return ENDED;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_TIMEOUT_MILLISECONDS);
      for (const event of reader.read(value)) {
        onEvent();
        try {
          receive(event, signal);
        } catch {
          setLost(UNREADABLE);
        }
      }
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return silence.signal.aborted ? SILENT : UNREACHABLE;
  } finally {
    clearTimeout(timer);
  }
}

async function follow(signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    const reason = await readStream(signal, () => {
      failures = -1;
    });
    if (signal.aborted || key.value === null) return;
    setLost(reason);
    await new Promise((resolve) => setTimeout(resolve, retryDelayMilliseconds(Math.max(0, failures), null)));
  }
}

/**
 * While the reader is signed in, follows the status of the lane in the address, or of all lanes. Reconnects whenever
 * the connection is lost or the lane changes.
 */
export function followStatus(): void {
  effect(() => {
    if (key.value === null) return;
    // This line subscribes the effect to the lane, even if the request reads the lane only after the effect has run.
    void lane.value;
    const controller = new AbortController();
    connection.value = { state: 'connecting' };
    follow(controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) reportError(error);
    });
    return () => {
      controller.abort();
      status.value = null;
      readiness.value = null;
      observations.value = [];
    };
  });
}
