import type { Connections, Pool, Standby } from '@milepost/postgres';

/** Reads a lane's data from a standby if one may be used, and otherwise from the lane's primary. */
export class LaneReader {
  readonly #primary: Pool;
  readonly #standby: Standby | undefined;

  constructor(primary: Pool, standby: Standby | undefined) {
    this.#primary = primary;
    this.#standby = standby;
  }

  /** Runs a query. If the result comes from a standby, its `lag_seconds` is at least the standby's delay. */
  async read<Result extends object | null>(select: (lane: Connections) => Promise<Result>): Promise<Result> {
    const read = await this.#standby?.read(this.#primary, select);
    if (!read) return await select(this.#primary);
    const { result, delaySeconds } = read;
    if (result === null || !('lag_seconds' in result)) return result;
    return { ...result, lag_seconds: Math.max(Number(result.lag_seconds), delaySeconds) };
  }
}
