import { effect, signal } from '@preact/signals';
import { readFailure } from '../../shared/failure.ts';
import { key, signOut } from '../../shared/session.ts';
import { restBefore } from '../../shared/waiting.ts';
import { askReadiness, headers, type Readiness, type Status } from '../requests.ts';
import { EventReader, type ServerEvent } from './event-reader.ts';
import { type Observation, observationOf, withObservation } from './rates.ts';

/** Whether what is shown is of this moment. */
type Live =
  | { state: 'connecting' }
  | { state: 'live' }
  /** `since`: epoch milliseconds of the newest status; null: there never was one. */
  | { state: 'lost'; since: number | null; reason: string };

export const live = signal<Live>({ state: 'connecting' });
export const status = signal<Status | null>(null);
export const readiness = signal<Readiness | null>(null);
export const observations = signal<readonly Observation[]>([]);
/** Grows with each status: what is asked again with every one depends on it. */
export const tick = signal(0);

/** The server sends every two seconds; a connection that says nothing for so long is gone. */
const SILENCE_MILLISECONDS = 10_000;

const SILENT = 'Nothing came for ten seconds.';
const ENDED = 'The server has ended the connection.';
const UNREACHABLE = 'The server cannot be reached.';

function lost(reason: string): void {
  live.value = { state: 'lost', since: observations.value.at(-1)?.at ?? null, reason };
}

async function take({ name, data }: ServerEvent, signal: AbortSignal): Promise<void> {
  if (name === 'unavailable') return lost('The server cannot read the status at the moment.');
  if (name !== 'status') return;
  // The document says that it is one.
  const next: Status = JSON.parse(data);
  status.value = next;
  observations.value = withObservation(observations.value, observationOf(next, Date.now()));
  live.value = { state: 'live' };
  tick.value += 1;
  readiness.value = await askReadiness(signal).catch(() => null);
}

/** Reads one connection to its end. Returns why it ended. */
async function readStream(signal: AbortSignal, onEvent: () => void): Promise<string> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MILLISECONDS);
  try {
    const response = await fetch('/events', { headers: headers(), signal: AbortSignal.any([signal, silence.signal]) });
    if (response.status === 401) {
      signOut(readFailure(401, await response.json().catch(() => null)).detail);
      return ENDED;
    }
    if (!response.ok || response.body === null) return `The server answered with status ${response.status}.`;
    const reader = new EventReader();
    const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await pieces.read();
      if (done) return ENDED;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MILLISECONDS);
      for (const event of reader.read(value)) {
        onEvent();
        void take(event, signal);
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
  for (let attempts = 0; !signal.aborted; attempts += 1) {
    const reason = await readStream(signal, () => {
      attempts = -1;
    });
    if (signal.aborted || key.value === null) return;
    lost(reason);
    await new Promise((resolve) => setTimeout(resolve, restBefore(Math.max(0, attempts), null)));
  }
}

/** Follows the status for as long as there is a token, through restarts of the server. */
export function followStatus(): void {
  effect(() => {
    if (key.value === null) return;
    const controller = new AbortController();
    live.value = { state: 'connecting' };
    follow(controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) throw error;
    });
    return () => {
      controller.abort();
      status.value = null;
      readiness.value = null;
      observations.value = [];
    };
  });
}
