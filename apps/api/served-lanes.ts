import { retryLater } from '@milepost/http/classify';
import { type Connections, inTime } from '@milepost/postgres';
import type { LanePools } from '@milepost/postgres/lanes';
import type { Standby } from '@milepost/postgres/standby';
import { checkReadTables } from '@milepost/projections/queries';
import { type Logger, messageOf } from '@milepost/service';
import { Problem } from './problems.ts';

/** The timeout is short because a readiness probe checks several lanes and must end within 800 ms. */
const MAX_CHECK_MILLISECONDS = 500;

/**
 * The lanes from which the API reads. If a lane fails its check, it gets no requests until a check succeeds, because
 * requests that wait for this lane would delay requests for other lanes. If there is only one lane, it gets all
 * requests, even if a check fails.
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

  /** @param pools the pools of connections to the lanes' primaries */
  constructor(pools: LanePools, standby: Standby | undefined, logger: Logger) {
    this.#pools = pools;
    this.#standby = standby;
    this.#logger = logger;
  }

  /** Throws a problem while a lane is failing. */
  assertWorking(lane: number): void {
    if (!this.#failing.has(lane)) return;
    throw new Problem('unavailable', 'The data cannot be read at the moment.', { headers: retryLater });
  }

  /**
   * Runs a query on a standby if one may be used, and otherwise on the lane's primary. If the result comes from a
   * standby, its `lag_seconds` is at least the standby's delay.
   */
  async read<Result extends object | null>(
    lane: number,
    select: (connections: Connections) => Promise<Result>,
  ): Promise<Result> {
    const primary = await this.#pools.find(lane);
    const read = await this.#standby?.read(primary, select);
    if (!read) return await select(primary);
    const { result, delaySeconds } = read;
    if (result === null || !('lag_seconds' in result)) return result;
    return { ...result, lag_seconds: Math.max(Number(result.lag_seconds), delaySeconds) };
  }

  /** Adds a lane to the next check. */
  suspect(lane: number): void {
    this.#suspected.add(lane);
  }

  /**
   * Checks the next working lane, the next failing lane and all suspected lanes. It does not check all lanes each time,
   * because the pools share few connections.
   *
   * @returns the failing lanes
   * @throws the error of a checked lane, when no lane is working
   */
  async check(): Promise<number[]> {
    await this.#pools.refresh();
    const lanes = this.#pools.numbers;
    if (lanes.length === 1) {
      await checkReadTables(this.#pools.first);
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
      throw outcomes.find((error) => error !== null) ?? new Error('No lane is working.');
    return [...this.#failing].sort((one, other) => one - other);
  }

  /** Returns a lane's error, or null if the lane is working. */
  async #checkLane(lane: number): Promise<unknown> {
    // The check of a hung lane occupies a connection, so each lane has at most one check at a time.
    if (this.#checking.has(lane)) return null;
    this.#checking.add(lane);
    const checked = checkReadTables(this.#pools.of(lane)).finally(() => this.#checking.delete(lane));
    try {
      await inTime(checked, MAX_CHECK_MILLISECONDS, `The lane did not respond within ${MAX_CHECK_MILLISECONDS} ms.`);
      if (this.#failing.delete(lane)) this.#logger.info({ lane }, 'The lane is responding again.');
      return null;
    } catch (error) {
      if (!this.#failing.has(lane)) {
        this.#logger.warn({ lane, reason: messageOf(error) }, 'The lane is not responding: refusing its requests.');
      }
      this.#failing.add(lane);
      return error;
    }
  }
}
