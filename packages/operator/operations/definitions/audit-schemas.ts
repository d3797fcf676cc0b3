import Type from 'typebox';
import { Day, Decimal, MomentText, Named, nullable, Text, WholeNumber, YesNo } from '../language/schemas.ts';

/** A stored event, with its source and its place in the source. */
const NamedStoredEvent = Type.Object({
  position: WholeNumber('The position of the stored event in the log.', 4711),
  kind: Text('The kind of the stored event.', 'trip.processed'),
  fleet_id: Text('The id of the fleet.', 'sunrise-delivery'),
  driver_id: nullable(Text('The id of the driver.', 'driver-00001')),
  trip_id: nullable(Text('The id of the trip, as in API responses.', '2f5e76a3ae0e809f384603a8ee6cee59')),
  revision: WholeNumber('The revision of the trip or profile.', 1),
  topic: nullable(Text('The topic, or `file:` followed by the file name.', 'milepost.trips')),
  partition: nullable(WholeNumber('The partition of the topic; for a file, the number of the run that read it.', 0)),
  offset: WholeNumber('The offset of the record in its partition; for a file, the line number.', 1499),
});

const AuditFault = Named('AuditFault', {
  check: Text(
    'The kind of fault, such as `missing_row` or `stalled_projector`; `audit_failed`: the audit did not finish.',
    'missing_row',
  ),
  projection: nullable(Text('The projection; null for faults in the log and for a failed audit.', 'trips')),
  day: nullable(Day),
  key: nullable(Text('The key of the row: fleet and trip, or fleet and driver.', 'sunrise-delivery driver-00001')),
  detail: Text('A description of the fault.', 'This row follows from the log, but is missing from the read table.'),
  positions: Type.Array(NamedStoredEvent, { description: 'The stored events that caused the fault, newest first.' }),
});

const AuditedProjection = Named('AuditedProjection', {
  projection: Text('The name of the projection.', 'trips'),
  generation: WholeNumber('The number of the live generation.', 2),
  version: WholeNumber("The version of the projection's code.", 2),
  checkpoint: WholeNumber('The last position that has been applied to the rows.', 6226),
  // Rows for earlier days are not compared, because the generation does not keep them.
  cutoff: nullable(Day),
  expected_rows: WholeNumber('The number of rows expected from the log.', 931),
  actual_rows: WholeNumber('The number of rows in the read table.', 931),
  differences: WholeNumber('The number of rows that are missing, surplus or different.', 0),
  differing_day_count: WholeNumber('The number of days on which rows differ.', 0),
  differing_days: Type.Array(
    Type.Object({
      day: nullable(Day),
      expected_rows: WholeNumber('The number of rows expected from the log.', 931),
      actual_rows: WholeNumber('The number of rows in the read table.', 931),
    }),
    { description: 'The first days on which rows differ.' },
  ),
  seconds: Decimal('The duration of the comparison.', 0.7),
});

export const AuditReport = Named('AuditReport', {
  projection: nullable(Text('The audited projection; null if all were audited.', 'trips')),
  position: WholeNumber('The last position in the log at the time of the audit.', 4711),
  audited_at: MomentText('The time at which the audit ended.'),
  seconds: Decimal('The duration of the audit.', 0.7),
  equal: YesNo('Whether the audit found no fault.'),
  projections: Type.Array(AuditedProjection, { description: 'The comparison of each read table.' }),
  faults: Type.Array(AuditFault, { description: 'The faults found by the audit.' }),
});
