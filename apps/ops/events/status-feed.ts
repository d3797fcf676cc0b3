import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MILLISECONDS = 2_000;

/** Returns an event in the format `text/event-stream`. The JSON does not contain line breaks. */
function eventText(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Creates a feed of the status. Each call of the returned function begins a stream, which starts with the latest status
 * and ends when `signal` aborts. While there are streams, the status is read every two seconds, once for all of them,
 * and sent as the event `status`. If the read fails, the event is `unavailable`. A stream that is not being read skips
 * statuses.
 */
export function createStatusFeed(
  read: () => Promise<object>,
  onFault: (error: unknown) => void,
  signal: AbortSignal,
  intervalMilliseconds = INTERVAL_MILLISECONDS,
): () => AsyncGenerator<string> {
  /** The latest status, or the one being read; undefined when it is older than the interval. */
  let latest: { text: Promise<string>; expired: Promise<void> } | undefined;
  const readNext = () => {
    const text = read().then(
      (status) => eventText('status', status),
      (error: unknown) => {
        onFault(error);
        return eventText('unavailable', { detail: 'The status cannot be read at the moment.' });
      },
    );
    const expired = text.then(async () => {
      await delay(intervalMilliseconds, undefined, { signal, ref: false }).catch(() => {});
      latest = undefined;
    });
    return { text, expired };
  };
  return async function* () {
    while (!signal.aborted) {
      latest ??= readNext();
      const { text, expired } = latest;
      yield await text;
      await expired;
    }
  };
}
