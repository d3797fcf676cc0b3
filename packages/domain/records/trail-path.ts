import type { TrailPoint } from '../vocabulary.ts';
import { explain } from './explain.ts';
import type { RecordFault } from './parsed-record.ts';
import { trailPoint } from './schema.ts';

/** The trail points of a record in the order given; or the fault of the first that breaks a rule. */
export function readTrailPath(values: readonly unknown[], path: string): TrailPoint[] | RecordFault {
  const points: TrailPoint[] = [];
  for (const [index, value] of values.entries()) {
    if (!trailPoint.Check(value)) return explain(trailPoint.Type(), value, `${path}/${index}`);
    points.push({
      timestamp: value.timestamp,
      latitude: value.latitude,
      longitude: value.longitude,
      course: value.course,
    });
  }
  return points;
}
