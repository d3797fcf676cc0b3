import { WARNINGS } from '@milepost/domain/record-warnings';
import { ReplayView } from '@milepost/replay';
import Type, { type Static } from 'typebox';
import { nullable, Time } from './schemas.ts';

export const ProjectionStatus = Type.Object(
  {
    name: Type.String(),
    version: Type.Integer(),
    generation: Type.Integer(),
    checkpoint: Type.Integer(),
    lag_events: Type.Integer(),
    lag_seconds: Type.Number({ description: 'Age of the oldest stored event not yet applied; 0 for none.' }),
    failed_position: nullable(Type.Integer()),
    failure: nullable(Type.String({ description: 'Why the projection stands still, if it does.' })),
  },
  { $id: 'ProjectionStatus' },
);

const source = {
  topic: Type.String(),
  partition: Type.Integer(),
  next_offset: Type.Integer(),
  stopped: Type.Boolean({ description: 'Whether the source stands still until an operator settles the fault.' }),
  fault: nullable(Type.String({ description: 'Why nothing comes from the source, if nothing does.' })),
  fault_at: nullable(Time),
};
export const SourceState = Type.Object(source);
export type SourceState = Static<typeof SourceState>;

const end = {
  end_offset: nullable(Type.Integer({ description: 'Null when Kafka could not be asked.' })),
  lag: nullable(Type.Integer()),
};
const EndOffset = Type.Object(end);
export type EndOffset = Static<typeof EndOffset>;

export const WarningCount = Type.Object(
  {
    topic: Type.String(),
    reason: Type.Enum(Object.keys(WARNINGS), {
      description: Object.entries(WARNINGS)
        .map(([reason, meaning]) => `- \`${reason}\`: ${meaning}`)
        .join('\n'),
    }),
    field: Type.String({ description: 'A path in the record, `*` standing for any index; empty: the record itself.' }),
    records: Type.Integer({ description: 'How many have it.' }),
  },
  { $id: 'WarningCount' },
);

export const StatusResource = Type.Object(
  {
    head_position: Type.Integer({ description: 'Last position of the event log.' }),
    projections: Type.Array(ProjectionStatus),
    dead_letters: Type.Integer({ description: 'Those that nobody has settled.' }),
    sources: Type.Array(Type.Object({ ...source, ...end }), {
      description:
        'The partitions of topics, and the newest files that are being read or were given up; at most 10 files.',
    }),
    ingest: nullable(
      Type.Enum(['running', 'missing'], {
        description: '`missing`: for a minute no process has read Kafka. Null where records do not come from Kafka.',
      }),
    ),
    files_ended: Type.Integer({ description: 'Files that were read to their end.' }),
    warnings: Type.Array(WarningCount, {
      description: 'What is legal and odd in the records that were stored, the newest sources first; at most 50.',
    }),
    replays: Type.Array(ReplayView, { description: 'Those that are not at their end.' }),
  },
  { description: 'How far everything has come.' },
);
