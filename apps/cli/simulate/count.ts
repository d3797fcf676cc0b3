import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import type { SimulatedRecord } from '@milepost/sample-fleet';
import { startProgress } from '../output/progress.ts';

const TRIP_START = /"trip_start_time":(\d{13})/;
const HEADER_CHARACTERS = 1_000;

/**
 * Passes records on with a progress bar. How many there will be nobody knows beforehand, so unless `total` is given it is
 * reckoned from the share of the `days` that is done: trips come roughly in the order of their starts.
 */
export function* withProgress(
  records: Iterable<SimulatedRecord>,
  { days, total }: { days: number; total: number | undefined },
): Generator<SimulatedRecord> {
  const progress = startProgress('Simulating', ' records');
  let count = 0;
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  try {
    for (const record of records) {
      yield record;
      count += 1;
      const start = Number(TRIP_START.exec(record.value.slice(0, HEADER_CHARACTERS))?.[1] ?? Number.NaN);
      if (start < first) first = start;
      if (start > last) last = start;
      const share = Math.min(1, Math.max(0, (last - first) / (days * MILLISECONDS_PER_DAY)));
      if (count % 100 === 0) progress.update(count, total ?? (share > 0.01 ? Math.round(count / share) : null));
    }
  } finally {
    progress.stop();
  }
}
