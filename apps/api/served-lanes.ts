import { setTimeout as delay } from 'node:timers/promises';
import { retryLater } from '@milepost/http';
import type { Standby } from '@milepost/postgres';
import { FIRST_LANE, type LanePools } from '@milepost/postgres/lanes';
import { checkReadTables } from '@milepost/projections/queries';
import { type Logger, messageOf } from '@milepost/service';
import { LaneReader } from './lane-reader.ts';
import { Problem } from './problems.ts';

/** This is short because a readiness probe checks several lanes and must end within 800 ms. */
const MAX_CHECK_MILLISECONDS = 500;

/**
 * The lanes from which the API reads. A lane that fails its check gets no more requests until a check succeeds, because
 * requests that wait for it would delay those for other lanes. With one lane, every request is tried.
 */
export class ServedLanes {
  readonly #pools: LanePools;
  readonly #standby: Standby | undefined;
  readonly #logger: Logger;
  readonly #failing = new Set<number>();
  /** The lanes to check next, because a request to each of them has failed. */
  readonly #suspected = new Set<number>();
  readonly #checking = new Set<number>();
  #turn = 0;

  /** @param pools the pools on the primaries of the lanes */
  constructor(pools: LanePools, standby: Standby | undefined, logger: Logger) {
    this.#pools = pools;
    this.#standby = standby;
    this.#logger = logger;
  }

  /** Returns the reader of a lane. Throws a problem when the lane fails. */
  async find(lane: number): Promise<LaneReader> {
    if (!this.#failing.has(lane)) return new LaneReader(await this.#pools.find(lane), this.#standby);
    throw new Problem('unavailable', 'The data cannot be read at the moment.', { headers: retryLater });
  }

  /** Makes the next check include a lane. */
  suspect(lane: number): void {
    this.#suspected.add(lane);
  }

  /**
   * Checks the next working lane, the next failing lane and all suspected lanes. It does not check all lanes at once,
   * because the pools share few connections.
   *
   * @returns the failing lanes
   * @throws the error of a checked lane, when no lane works
   */
  async check(): Promise<number[]> {
    await this.#pools.refresh();
    const lanes = this.#pools.numbers;
    if (lanes.length === 1) {
      await checkReadTables(this.#pools.of(FIRST_LANE));
      return [];
    }
    const [next, failing] = [lanes.filter((lane) => !this.#failing.has(lane)), [...this.#failing]].map(
      (each) => each[this.#turn % each.length],
    );
    this.#turn += 1;
    const due = new Set([next, failing, ...this.#suspected].filter((lane) => lane !== undefined));
    this.#suspected.clear();
    const outcomes = await Promise.all([...due].map((lane) => this.#checkLane(lane)));
    if (this.#failing.size === lanes.length)
      throw outcomes.find((error) => error !== null) ?? new Error('No lane works.');
    return [...this.#failing].sort((one, other) => one - other);
  }

  /** Returns the error of a lane; null when it works. */
  async #checkLane(lane: number): Promise<unknown> {
    // The check of a hanging lane occupies a connection, so each lane has at most one check at a time.
    if (this.#checking.has(lane)) return null;
    this.#checking.add(lane);
    const checked = checkReadTables(this.#pools.of(lane)).finally(() => this.#checking.delete(lane));
    const late = delay(MAX_CHECK_MILLISECONDS, undefined, { ref: false }).then(() => {
      throw new Error(`The lane does not answer within ${MAX_CHECK_MILLISECONDS} ms.`);
    });
    try {
      await Promise.race([checked, late]);
      if (this.#failing.delete(lane)) this.#logger.info({ lane }, 'The lane answers again.');
      return null;
    } catch (error) {
      if (!this.#failing.has(lane)) {
        this.#logger.warn({ lane, reason: messageOf(error) }, 'The lane does not answer: its fleets are refused.');
      }
      this.#failing.add(lane);
      return error;
    } finally {
      late.catch(() => {});
    }
  }
}
