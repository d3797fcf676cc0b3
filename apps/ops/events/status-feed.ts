import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MILLISECONDS = 2_000;
/** Whoever has left more than this unread gets nothing more until it is read. */
const UNREAD_BYTES = 256 * 1024;

/** An event of a stream, as `text/event-stream` has it. JSON has no line breaks of its own. */
function eventText(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Reads the status every two seconds while anybody listens, once for all, and sends it to each: `status`, or `unavailable`
 * while it cannot be read.
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

  /** A new stream, which begins with the newest status. It ends with the feed, or when it is destroyed. */
  listen(): Readable {
    const stream = new PassThrough({ highWaterMark: UNREAD_BYTES });
    stream.once('close', () => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.#rest();
    });
    this.#streams.add(stream);
    if (this.#newest !== null) stream.write(this.#newest);
    if (this.#streams.size === 1) void this.#follow(this.#following.signal);
    return stream;
  }

  /** Ends all streams: a server that stops waits for the answers under way. */
  close(): void {
    this.#rest();
    for (const stream of this.#streams) stream.end();
  }

  #rest(): void {
    this.#following.abort();
    this.#following = new AbortController();
    // Whoever comes later must not begin with an old status.
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
