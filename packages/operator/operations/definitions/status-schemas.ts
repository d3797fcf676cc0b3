import { WARNINGS } from '@milepost/domain/record-warnings';
import Type, { type Static } from 'typebox';
import { Decimal, Moment, Named, nullable, OneOf, Text, WholeNumber, YesNo } from '../language/schemas.ts';
import { ReplayResource } from './replay-schemas.ts';

const ProjectionStatus = Named('ProjectionStatus', {
  name: Text('The name of the projection.', 'trips'),
  version: WholeNumber("The version of the projection's code.", 2),
  generation: WholeNumber('The number of the live generation.', 2),
  checkpoint: WholeNumber('The last position that has been applied to the rows.', 6226),
  lag_events: WholeNumber('The number of stored events that have not been applied yet.', 0),
  lag_seconds: Decimal(
    'The age of the oldest stored event that has not been applied yet; 0 when all have been applied.',
    0,
  ),
  failed_position: nullable(
    WholeNumber('The position of the stored event at which the projection has stopped; null otherwise.', 4711),
  ),
  failure: nullable(Text('Why the projection has stopped; null otherwise.', 'The read table has a different version.')),
});

const source = {
  topic: Text('The topic, or `file:` followed by the file name.', 'milepost.trips'),
  partition: WholeNumber('The partition of the topic; for a file, the number of the run that read it.', 0),
  next_offset: WholeNumber('The offset of the next record to read.', 1500),
  stopped: YesNo('Whether the source has stopped and will not continue until an operator settles the fault.'),
  fault: nullable(
    Text(
      'Why the source is delivering nothing; null while it delivers records.',
      'The topic lost records before they were read.',
    ),
  ),
  fault_at: nullable(Moment('The time at which the source stopped delivering; null while it delivers records.')),
};

const end = {
  end_offset: nullable(
    WholeNumber('The offset after the last record in Kafka; null when Kafka did not respond.', 1500),
  ),
  lag: nullable(WholeNumber('The number of records in the partition that have not been read yet.', 0)),
};

export const WarningCount = Named('WarningCount', {
  topic: Text('The topic, or `file:` followed by the file name.', 'milepost.trips'),
  reason: OneOf(
    Object.keys(WARNINGS),
    Object.entries(WARNINGS)
      .map(([reason, meaning]) => `- \`${reason}\`: ${meaning}`)
      .join('\n'),
  ),
  field: Text('A path in the record, where `*` matches any index; empty for the record itself.', '/trip_start_time'),
  records: WholeNumber('The number of records with this warning.', 144),
});

const KafkaFinding = Named('KafkaFinding', {
  topic: nullable(Text('A topic; null when the finding concerns the connection or the group.', 'milepost.trips')),
  code: Text('A code for use in alerts; docs/connections.md lists all codes.', 'topic_compacted'),
  severity: OneOf(
    ['error', 'warning'],
    '`error`: nothing is read from the topic or, if `topic` is null, from any topic. `warning`: records are read.',
    'warning',
  ),
  message: Text(
    'The cause and the remedy.',
    'Topic "milepost.trips" has cleanup.policy=compact, and Kafka removes trips before they are read.',
  ),
  found_at: Moment('The time at which ingest first found the problem.'),
});

const figures = {
  head_position: WholeNumber('The last position of the event log.', 6226),
  projections: Type.Array(ProjectionStatus, { description: 'The live read table of each projection.' }),
  dead_letters: WholeNumber('The number of open dead letters.', 1),
  set_aside: WholeNumber('The number of stored events that operators have set aside.', 0),
  sources: Type.Array(Type.Object({ ...source, ...end }), {
    description: 'The partitions of all topics, and the newest files (at most 10) that ingest has not read to the end.',
  }),
  ingest: nullable(
    OneOf(
      ['running', 'missing'],
      '`missing`: no process has read from Kafka for a minute. Null when records do not come from Kafka.',
    ),
  ),
  kafka_findings: Type.Array(KafkaFinding, {
    description: 'The problems that ingest has found with Kafka, errors first. All problems are stored in lane 0.',
  }),
  files_ended: WholeNumber('The number of files that have been read to the end.', 1),
  warnings: Type.Array(WarningCount, {
    description: 'Warnings about valid records, the newest sources first; at most 50.',
  }),
  replays: Type.Array(ReplayResource, { description: 'The replays that have not ended.' }),
};

const LaneStatus = Named(
  'LaneStatus',
  {
    lane: WholeNumber('The number of the lane.', 0),
    name: Text('The schema of the lane.', 'milepost'),
    ...figures,
  },
  { description: 'The figures of one lane, read in one snapshot.' },
);

export const StatusResource = Type.Object(
  {
    ...figures,
    lanes: Type.Array(LaneStatus, { description: 'The figures of each lane that responds.' }),
    unavailable_lanes: Type.Array(WholeNumber('The number of a lane.', 2), {
      description: 'The lanes that do not respond and are not included in the sums.',
    }),
  },
  {
    description:
      'The progress of the log, the read tables and the sources. The figures outside `lanes` are sums over all lanes, which are not read in a single snapshot. The offset of a partition is its lowest offset in any lane, and a file counts once in each lane that contains records from it. `version` and `generation` come from a lane whose projection has stopped, or else from the first lane.',
  },
);

export type LaneFigures = Static<typeof LaneStatus>;
export type Figures = Omit<LaneFigures, 'lane' | 'name'>;
