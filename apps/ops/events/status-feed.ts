import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MILLISECONDS = 2_000;
/** A stream with more unread bytes than this maximum does not receive a status until the client has read them. */
const MAX_UNREAD_BYTES = 256 * 1024;

/** Returns an event in the format `text/event-stream`. The JSON does not contain line breaks. */
function eventText(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * While there are streams, reads the status every two seconds and sends it to all of them as the event `status`. If the
 * read fails, it sends the event `unavailable`.
 */
export class StatusFeed {
  readonly #read: () => Promise<object>;
  readonly #onFault: (error: unknown) => void;
  readonly #streams = new Set<PassThrough>();
  #following = new AbortController();
  readonly #intervalMilliseconds: number;
  #newest: string | null = null;

  constructor(
    read: () => Promise<object>,
    onFault: (error: unknown) => void,
    intervalMilliseconds = INTERVAL_MILLISECONDS,
  ) {
    this.#read = read;
    this.#onFault = onFault;
    this.#intervalMilliseconds = intervalMilliseconds;
  }

  get listeners(): number {
    return this.#streams.size;
  }

  /** Opens a stream that starts with the latest status and ends when the feed is closed or the stream is destroyed. */
  listen(): Readable {
    const stream = new PassThrough({ highWaterMark: MAX_UNREAD_BYTES });
    stream.once('close', () => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.#rest();
    });
    this.#streams.add(stream);
    if (this.#newest !== null) stream.write(this.#newest);
    if (this.#streams.size === 1) void this.#follow(this.#following.signal);
    return stream;
  }

  /** Ends all streams, because a stopping server waits for all open responses to end. */
  close(): void {
    this.#rest();
    for (const stream of this.#streams) stream.end();
  }

  #rest(): void {
    this.#following.abort();
    this.#following = new AbortController();
    // A later stream must not start with an old status.
    this.#newest = null;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const text = await this.#read().then(
        (status) => eventText('status', status),
        (error: unknown) => {
          this.#onFault(error);
          return eventText('unavailable', { detail: 'The status cannot be read at the moment.' });
        },
      );
      if (signal.aborted) return;
      this.#newest = text;
      for (const stream of this.#streams) {
        if (!stream.writableNeedDrain && !stream.writableEnded) stream.write(text);
      }
      await delay(this.#intervalMilliseconds, undefined, { signal }).catch(() => {});
    }
  }
}
