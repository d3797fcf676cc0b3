import { Day, nullable, TimeText } from '@milepost/domain/schemas';
import Type, { type Static } from 'typebox';

/** A stored event, with its place in the source. */
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
export type NamedStoredEvent = Static<typeof NamedStoredEvent>;

const AuditFault = Type.Object(
  {
    check: Type.String({
      description:
        'What was found, such as `missing_row` or `stalled_projector`; `audit_failed`: the audit did not come to its end.',
    }),
    projection: nullable(Type.String({ description: 'Null for faults of the log, and for a failed audit.' })),
    day: nullable(Day),
    key: nullable(Type.String({ description: 'Of a row: fleet and trip, or fleet and driver.' })),
    detail: Type.String({ description: 'What is wrong, in a sentence.' }),
    positions: Type.Array(NamedStoredEvent, { description: 'Stored events behind it, the newest first.' }),
  },
  { $id: 'AuditFault' },
);

/**
 * What a fault is about. Of read tables: a row that is missing, one too many, or another than it should be, how many
 * more there are, and values that cannot be read; a projection that stands still without a word or with one, that has no live generation, that is past
 * the log's end, or apart from the others. Of the log: positions that are not dense, processed trips without body, and
 * sources whose counts do not add up. Of the audit itself: that it failed.
 */
export type AuditCheck =
  | 'missing_row'
  | 'extra_row'
  | 'differing_row'
  | 'more_rows'
  | 'unreadable_rows'
  | 'stalled_projector'
  | 'failed_projector'
  | 'no_live_generation'
  | 'checkpoint_past_head'
  | 'checkpoints_apart'
  | 'log_positions'
  | 'missing_body'
  | 'source_counts'
  | 'audit_failed';

export interface AuditFault extends Static<typeof AuditFault> {
  check: AuditCheck;
}

/** A fault that is not about a row. */
export function faultOf(
  check: AuditCheck,
  projection: string | null,
  detail: string,
  positions: NamedStoredEvent[] = [],
): AuditFault {
  return { check, projection, day: null, key: null, detail, positions };
}

/** One read table against what the log implies. */
const AuditedProjection = Type.Object(
  {
    projection: Type.String(),
    generation: Type.Integer(),
    version: Type.Integer(),
    checkpoint: Type.Integer(),
    // Rows of earlier days were left out, because the generation does not keep them.
    cutoff: nullable(Day),
    expected_rows: Type.Integer(),
    actual_rows: Type.Integer(),
    differences: Type.Integer({ description: 'Rows missing, too many or different.' }),
    differing_day_count: Type.Integer(),
    differing_days: Type.Array(
      Type.Object({ day: nullable(Day), expected_rows: Type.Integer(), actual_rows: Type.Integer() }),
    ),
    seconds: Type.Number(),
  },
  { $id: 'AuditedProjection' },
);
export type AuditedProjection = Static<typeof AuditedProjection>;

/** The result of an audit, of one snapshot of the database. */
export const AuditReport = Type.Object(
  {
    // The only projection looked at; null: all.
    projection: nullable(Type.String()),
    // The head of the log.
    position: Type.Integer(),
    audited_at: TimeText,
    seconds: Type.Number(),
    // Nothing was found.
    equal: Type.Boolean(),
    projections: Type.Array(AuditedProjection),
    faults: Type.Array(AuditFault),
  },
  { $id: 'AuditReport' },
);
export interface AuditReport extends Static<typeof AuditReport> {
  faults: AuditFault[];
}
