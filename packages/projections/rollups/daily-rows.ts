import { dateOfDay } from '@milepost/domain/calendar';
import { renderedRows } from '../log/rendered-rows.ts';
import { renderDay, toDrivingFigures } from './sums.ts';
import type { DrivenDay } from './touched-days.ts';

/** Writes the summaries of drivers' days. */
export const dailyRows = renderedRows<DrivenDay>({
  projection: 'daily_rollups',
  key: ['fleet_id', 'driver_id', 'date'],
  columns: {
    fleet_id: ['text', ({ fleet_id }) => fleet_id],
    driver_id: ['text', ({ driver_id }) => driver_id],
    date: ['date', ({ day }) => dateOfDay(day)],
  },
  text: ['summary', ({ day, sums }) => renderDay({ ...toDrivingFigures(sums), date: dateOfDay(day) })],
});
