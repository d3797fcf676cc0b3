import { PARTS_OF_TRIPS, READ_TABLES } from '@milepost/projections/read-tables';
import { ALL, ReplayView, VerificationSummary } from '@milepost/replay';
import Type from 'typebox';
import { Id, nextBefore, nullable } from '../schemas.ts';

const NAMES = [...READ_TABLES, ALL];
const NAME = `\\s*(?:${NAMES.join('|')})\\s*`;

/** What may be replayed or rolled back together. */
export const ProjectionNames = Type.String({
  pattern: `^${NAME}(?:,${NAME})*$`,
  maxLength: 1_000,
  description: `one of ${NAMES.join(', ')}, or several separated by commas; trips now includes ${PARTS_OF_TRIPS.join(' and ')}.`,
});

export const ReplayId = Id('The id that the list of replays shows.');

const { verification: _, ...inShort } = ReplayView.properties;

export const ReplayList = Type.Object({
  replays: Type.Array(Type.Object({ ...inShort, verification: nullable(VerificationSummary) })),
  next_before: nextBefore,
});
