import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Pool, ROLES } from '@milepost/postgres';
import { loadFiles, showInReadTables, type WithPool } from '../load-files.ts';
import { withProgress } from '../simulate/count.ts';
import { simulatedRecords } from '../simulate/plan.ts';
import { writeToFile } from '../simulate/to-ndjson.ts';

export const SAMPLE_FLEET_ID = 'sunrise-delivery';

const SAMPLE = { seed: 1, drivers: 40, days: 45, fleet: SAMPLE_FLEET_ID };

/** Whether the log holds nothing, or is only partly loaded from `file` because an earlier start was interrupted. */
async function needsSample(pool: Pool, file: string): Promise<boolean> {
  const { rows } = await pool.query<{ empty: boolean; begun: boolean }>({
    name: 'needs-sample',
    text: `SELECT position = 0 AS empty, EXISTS (SELECT FROM log.source WHERE topic = $1) AS begun FROM log.head`,
    values: [`file:${file}`],
  });
  const [log] = rows;
  // The file is gone once it was loaded. One that another database was being loaded from is none of this one's business.
  const isLeftOver = await access(file).then(
    () => true,
    () => false,
  );
  return log !== undefined && (log.empty || (log.begun && isLeftOver));
}

/**
 * Loads a sample fleet whose last day is yesterday into an empty log, on the path that files take, and waits until the
 * read tables show it. A load that was interrupted is begun anew: records stored before count as duplicates, and
 * yesterday's half of a fleet is made whole.
 */
export async function loadSampleFleet(
  withPool: WithPool,
  home: string,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  const file = join(home, 'sample-fleet.ndjson');
  if (!(await withPool(ROLES.operator, (pool) => needsSample(pool, file)))) return;
  say(`Loading a sample fleet: ${SAMPLE.drivers} drivers, ${SAMPLE.days} days (SAMPLE_FLEET=off: none).`);
  const records = withProgress(simulatedRecords(SAMPLE, Date.now()), { days: SAMPLE.days, total: undefined });
  await writeToFile(records, file, signal);
  const { counts, headPosition } = await loadFiles(withPool, [file], signal);
  await showInReadTables(withPool, headPosition, signal);
  await rm(file);
  say(
    `Loaded ${counts.read} records: ${counts.stored} stored, ${counts.duplicates} duplicates, ${counts.dead_letters} dead letters.`,
  );
}

/** Whether the log holds trips of the sample fleet. */
export async function hasSampleFleet(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'has-sample-fleet',
    text: 'SELECT FROM log.stored_event WHERE fleet_id = $1 AND kind = 1 AND effective LIMIT 1',
    values: [SAMPLE_FLEET_ID],
  });
  return rowCount === 1;
}
