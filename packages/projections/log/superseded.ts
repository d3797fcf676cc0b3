import type { Statement } from '@milepost/postgres';
import { oncePerRange } from './once-per-range.ts';
import { SUPERSEDED_TRIPS } from './range.ts';

const SUPERSEDES_TRIPS: Statement = {
  name: 'log:supersedes-trips',
  text: `SELECT EXISTS (SELECT FROM ${SUPERSEDED_TRIPS}) AS found`,
};

/** Whether any trip was superseded in the range; in most it was not, and nothing has to be deleted. */
export const supersedesTrips = oncePerRange(async (transaction, { after, through }) => {
  const [row] = await transaction.rows<{ found: boolean }>(SUPERSEDES_TRIPS, [after, through]);
  return row?.found ?? true;
});
