import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Failure } from './failure.ts';
import { type Waiting, waiting } from './waiting.ts';

/** What is shown until answers come. Readers of screens hear of it. */
export function Loading({ what }: { what: string }) {
  return (
    <div class="loading" role="status">
      <span class="bar" />
      <span class="bar" />
      <span class="bar" />
      <span class="text">Loading {what} …</span>
    </div>
  );
}

/** What is shown where there is nothing to show, and why. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

const TITLES: Readonly<Record<Failure['kind'], string>> = {
  not_found: 'Not found',
  invalid: 'The service refuses this request',
  refused: 'The key is refused',
  broken: 'Something went wrong',
};

/** Why a question has no answer, as the service says it. */
export function FailureView({ failure, children }: { failure: Failure; children?: ComponentChildren }) {
  return (
    <div class="state failure" role="alert">
      <h2>{TITLES[failure.kind]}</h2>
      <p>{failure.detail}</p>
      {failure.faults.length > 0 && (
        <ul>
          {failure.faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {children}
      {failure.request_id !== null && (
        <p class="quiet">
          Request <code>{failure.request_id}</code>
        </p>
      )}
    </div>
  );
}

const REASONS: Readonly<Record<Waiting['reason'], string>> = {
  rate_limited: 'The requests of this minute are used up.',
  unavailable: 'The service cannot read its data at the moment.',
  unreachable: 'The service cannot be reached.',
};

function secondsUntil(until: number): number {
  return Math.max(0, Math.ceil((until - Date.now()) / 1_000));
}

/** Tells why questions wait, and when they are asked again. */
export function WaitingNotice() {
  const reason = waiting.value;
  const [, setTick] = useState(0);
  useEffect(() => {
    if (reason === null) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 500);
    return () => clearInterval(timer);
  }, [reason]);
  return (
    <div role="status" class="notice">
      {reason !== null && (
        <p>
          {REASONS[reason.reason]} <span aria-hidden="true">Next attempt in {secondsUntil(reason.until)} s.</span>
        </p>
      )}
    </div>
  );
}
