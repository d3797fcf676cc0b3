import type { Pool } from '@milepost/postgres';
import { type KeyUse, noteKeyUses } from '@milepost/projections/queries';
import type { FastifyInstance } from 'fastify';

const HOUR_MILLISECONDS = 3_600_000;
/**
 * The uses of keys are written at this interval, so that requests do not wait for the write and a key used by many
 * requests is written only once.
 */
const WRITE_INTERVAL_MILLISECONDS = 10_000;

/** Records the hour in which each API key was last used. Writes each key at most once an hour. Exported for tests. */
export class KeyUses {
  readonly #directory: Pool;
  #hour = 0;
  /** The keys used in this hour. */
  readonly #used = new Set<string>();
  #unwritten: KeyUse[] = [];

  constructor(directory: Pool) {
    this.#directory = directory;
  }

  note(keyHash: Buffer): void {
    const hour = Math.floor(Date.now() / HOUR_MILLISECONDS);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#used.clear();
    }
    const key = keyHash.toString('latin1');
    if (this.#used.has(key)) return;
    this.#used.add(key);
    this.#unwritten.push({ keyHash, at: new Date(hour * HOUR_MILLISECONDS) });
  }

  /** Writes the uses that have not been written yet. If this fails, the next call tries again. */
  async write(): Promise<void> {
    const uses = this.#unwritten;
    if (uses.length === 0) return;
    this.#unwritten = [];
    await noteKeyUses(this.#directory, uses).catch(() => this.#unwritten.unshift(...uses));
  }
}

/**
 * Returns a function that notes a use of a valid API key. All noted uses are written periodically and when the server
 * closes.
 */
export function noteUses(app: FastifyInstance, directory: Pool): (keyHash: Buffer) => void {
  const uses = new KeyUses(directory);
  const timer = setInterval(() => uses.write(), WRITE_INTERVAL_MILLISECONDS).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await uses.write();
  });
  return (keyHash) => uses.note(keyHash);
}
