import Type from 'typebox';
import { Day, nullable, Time, TimeText } from '../schemas.ts';

export const auditSummary = {
  id: Type.Integer(),
  at: Time,
  position: Type.Integer({ description: 'Where the log ended.' }),
  equal: Type.Boolean({ description: 'Nothing was found.' }),
  seconds: Type.Number({ description: 'How long it took.' }),
};

const NamedStoredEvent = Type.Object({
  position: Type.Integer(),
  kind: Type.String(),
  fleet_id: Type.String(),
  driver_id: nullable(Type.String()),
  trip_id: nullable(Type.String()),
  revision: Type.Integer(),
  topic: nullable(Type.String()),
  partition: nullable(Type.Integer()),
  offset: Type.Integer(),
});

const Fault = Type.Object({
  check: Type.String({ description: 'What was looked at, such as `missing_row` or `stalled_projector`.' }),
  projection: nullable(Type.String({ description: 'Null for faults of the log.' })),
  day: nullable(Day),
  key: nullable(Type.String({ description: 'Of a row: fleet and trip, or fleet and driver.' })),
  detail: Type.String({ description: 'What is wrong, in a sentence.' }),
  positions: Type.Array(NamedStoredEvent, { description: 'Stored events behind it, the newest first.' }),
});

const AuditedProjection = Type.Object({
  projection: Type.String(),
  generation: Type.Integer(),
  version: Type.Integer(),
  checkpoint: Type.Integer(),
  horizon: nullable(Day),
  expected_rows: Type.Integer(),
  actual_rows: Type.Integer(),
  differences: Type.Integer({ description: 'Rows missing, too many or different.' }),
  differing_day_count: Type.Integer(),
  differing_days: Type.Array(
    Type.Object({ day: nullable(Day), expected_rows: Type.Integer(), actual_rows: Type.Integer() }),
  ),
  seconds: Type.Number(),
});

export const AuditResource = Type.Object({
  ...auditSummary,
  report: Type.Object({
    projection: nullable(Type.String()),
    position: Type.Integer(),
    audited_at: TimeText,
    seconds: Type.Number(),
    equal: Type.Boolean(),
    projections: Type.Array(AuditedProjection),
    faults: Type.Array(Fault),
  }),
});
