import Type, { type Static } from 'typebox';
import { ReplayResource } from '../replays/resource.ts';
import { nullable, Time } from '../schemas.ts';

export const ProjectionStatus = Type.Object({
  name: Type.String(),
  version: Type.Integer(),
  generation: Type.Integer(),
  checkpoint: Type.Integer(),
  lag_events: Type.Integer(),
  lag_seconds: Type.Number({ description: 'Age of the oldest stored event not yet applied; 0 for none.' }),
  failed_position: nullable(Type.Integer()),
  failure: nullable(Type.String({ description: 'Why the projection stands still, if it does.' })),
});

const source = {
  topic: Type.String(),
  partition: Type.Integer(),
  next_offset: Type.Integer(),
  stopped: Type.Boolean({ description: 'Whether the source stands still until an operator settles the fault.' }),
  fault: nullable(Type.String({ description: 'Why nothing comes from the source, if nothing does.' })),
  fault_at: nullable(Time),
};
const SourceState = Type.Object(source);
export type SourceState = Static<typeof SourceState>;

const end = {
  end_offset: nullable(Type.Integer({ description: 'Null when Kafka could not be asked.' })),
  lag: nullable(Type.Integer()),
};
const EndOffset = Type.Object(end);
export type EndOffset = Static<typeof EndOffset>;

export const StatusResource = Type.Object(
  {
    head_position: Type.Integer({ description: 'Last position of the event log.' }),
    projections: Type.Array(ProjectionStatus),
    dead_letters: Type.Integer({ description: 'Those that nobody has settled.' }),
    sources: Type.Array(Type.Object({ ...source, ...end })),
    replays: Type.Array(ReplayResource, { description: 'Those that are not at their end.' }),
  },
  { description: 'How far everything has come.' },
);
