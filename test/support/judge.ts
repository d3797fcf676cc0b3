import { expect } from 'vitest';
import { compareOverHttp } from './compare-http.ts';
import { compareRowCounts } from './compare-with-model.ts';
import type { Deployment } from './deployment.ts';
import { Model, utcDate } from './model/index.ts';

/**
 * Compares a deployment with the model, once all published messages are applied. The comparison covers the counts of
 * the log, the rows of the read tables, and every result about the fleet.
 *
 * @returns the number of results compared
 */
export async function judge(deployment: Deployment, fleetId: string, firstDate: string): Promise<number> {
  const { owner, topics, processes, origin } = deployment;
  const model = new Model();
  await topics.replayInto(model, owner);
  const { rows } = await owner.query(
    `SELECT sum(records_read) AS read, sum(records_stored) AS stored, sum(records_duplicate) AS duplicates,
       sum(records_dead_letter) AS dead_letters FROM log_source`,
  );
  expect(rows).toEqual([model.counts]);
  const tables = await owner.query(
    `SELECT (SELECT count(*) FROM stored_event) AS stored, (SELECT count(*) FROM dead_letter) AS dead_letters,
       (SELECT position FROM log_head) AS head`,
  );
  const { stored, dead_letters } = model.counts;
  expect(tables.rows).toEqual([{ stored, dead_letters, head: stored }]);
  await compareRowCounts(owner, model, fleetId);
  const key = (await processes.run('keys', 'create', '--fleet', fleetId)).trim();
  const now = Date.now();
  return await compareOverHttp(origin, key, model, { fleetId, firstDate, now, today: utcDate(now) });
}
