import type { TripEvent } from '@milepost/client';
import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { clockText } from '../../shared/calendar-text.ts';
import { eventTitle } from '../names.ts';

interface PlaybackProps {
  /** The moment shown, in epoch milliseconds. */
  time: Signal<number>;
  from: number;
  through: number;
  events: readonly TripEvent[];
}

const SPEEDS = [10, 60, 300] as const;
const DEFAULT_SPEED = 60;
/** The interval at which the vehicle moves for readers who prefer reduced motion. */
const REDUCED_MOTION_MILLISECONDS = 1_000;

/** Calls `step` with the milliseconds since the last call: in each frame or, with reduced motion, once a second. */
function animate(step: (milliseconds: number) => void): () => void {
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    step(now - last);
    last = now;
  };
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    const timer = setInterval(tick, REDUCED_MOTION_MILLISECONDS);
    return () => clearInterval(timer);
  }
  let frame = requestAnimationFrame(function next() {
    tick();
    frame = requestAnimationFrame(next);
  });
  return () => cancelAnimationFrame(frame);
}

/**
 * The trip events on the timeline, with widths that show their durations. The table of trip events contains the same
 * information as text.
 */
function Marks({ from, through, events }: Omit<PlaybackProps, 'time'>) {
  const span = Math.max(1, through - from);
  return (
    <svg class="marks" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
      <rect class="line" x="0" y="5" width="1000" height="2" />
      {events.map((event, index) => {
        const { event_start_timestamp: start, event_end_timestamp: end, event_name } = event;
        const width = Math.max(4, (1_000 * (end - start)) / span);
        return (
          <rect
            // A record may contain the same trip event twice.
            key={index}
            class={event_name.toLowerCase()}
            x={(1_000 * (start - from)) / span}
            y="0"
            width={width}
            height="12"
          >
            <title>{eventTitle(event_name)}</title>
          </rect>
        );
      })}
    </svg>
  );
}

function Now({ time, events }: Pick<PlaybackProps, 'time' | 'events'>) {
  const now = time.value;
  const current = events.filter(
    ({ event_start_timestamp: start, event_end_timestamp: end }) => start <= now && now <= end,
  );
  return (
    <output class="now">
      <b>{clockText(now)}</b> UTC{' '}
      <span>{[...new Set(current.map(({ event_name }) => eventTitle(event_name)))].join(', ')}</span>
    </output>
  );
}

function Line({ time, from, through }: Omit<PlaybackProps, 'events'>) {
  return (
    <input
      type="range"
      aria-label="Time in the trip"
      aria-valuetext={`${clockText(time.value)} UTC`}
      min={from}
      max={through}
      step={1_000}
      value={time.value}
      onInput={({ currentTarget }) => {
        time.value = Number(currentTarget.value);
      }}
    />
  );
}

/** Controls that play a trip along its path. */
export function Playback({ time, from, through, events }: PlaybackProps) {
  const isPlaying = useSignal(false);
  const speed = useSignal<number>(DEFAULT_SPEED);
  // This is a layout effect, because an effect after the paint would let the vehicle move for one more frame after the
  // button shows "Play".
  useLayoutEffect(() => {
    if (!isPlaying.value) return;
    return animate((milliseconds) => {
      time.value = Math.min(through, time.value + milliseconds * speed.value);
      if (time.value >= through) isPlaying.value = false;
    });
  }, [isPlaying.value]);
  return (
    <div class="playback">
      <button
        type="button"
        class="primary"
        onClick={() => {
          if (!isPlaying.value && time.value >= through) time.value = from;
          isPlaying.value = !isPlaying.value;
        }}
      >
        {isPlaying.value ? 'Pause' : 'Play'}
      </button>
      <label>
        Speed{' '}
        <select value={speed.value} onChange={({ currentTarget }) => (speed.value = Number(currentTarget.value))}>
          {SPEEDS.map((times) => (
            <option key={times} value={times}>
              {times} ×
            </option>
          ))}
        </select>
      </label>
      <Now time={time} events={events} />
      <div class="timeline">
        <Marks from={from} through={through} events={events} />
        <Line time={time} from={from} through={through} />
      </div>
    </div>
  );
}
