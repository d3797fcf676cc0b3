import { countWhatGoes, eraseDriver, type NothingToErase, NothingToEraseError, pseudonymOf } from '@milepost/erasure';
import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import Type from 'typebox';
import { type OperationContext, operation } from './operation.ts';
import { Refusal } from './refusal.ts';
import { driver, Flag, isText, Reason } from './schemas.ts';

/** A shorter id may well be part of a word. */
const SHORTEST_TELLING_ID = 4;

function refusalSentence(reason: NothingToErase, fleetId: string, { mention }: OperationContext): string {
  switch (reason.code) {
    case 'unknown':
      return `The log has nothing about a driver of this id in the fleet ${fleetId}.`;
    case 'erased':
      return `The driver was erased at position ${reason.position} already, with everything.`;
    case 'aggregates_kept':
      return `The driver was erased at position ${reason.position} and the aggregates were kept: without ${mention.parameter('keep_aggregates')} they go too.`;
  }
}

export const erase = operation({
  name: 'drivers.erase',
  arguments: [],
  path: '/drivers/:fleet_id/:driver_id/erasure',
  summary: 'Erase a driver',
  description:
    "Removes the person for good: names, email, alias, the driver's id, coordinates, paths and trip events go from the log, from every read table and from the dead letters, and a pseudonym takes the id's place. Records about the driver are refused from then on. There is no way back. What backups, the write-ahead log and the Kafka topic hold goes when these expire. While it runs, usually well under a second, nothing is stored or projected; readers go on. The audit trail names the pseudonym alone.",
  input: Type.Object({
    ...driver,
    reason: Reason('1 to 1,000 characters: why. It is kept for good, so it must not name the person.'),
    keep_aggregates: Flag('whether the daily and weekly figures stay, under a pseudonym.'),
  }),
  inputErrors: ({ driver_id, reason }) =>
    driver_id.length >= SHORTEST_TELLING_ID && reason.includes(driver_id)
      ? [{ parameter: 'reason', message: 'It must not name the driver: it is kept for good.' }]
      : [],
  answer: Type.Object({
    position: Type.Integer({ description: 'Of the stored event that says that it happened.' }),
    fleet_id: Type.String(),
    pseudonym: Type.String({ description: "Stands in place of the driver's id from now on." }),
    aggregates_kept: Type.Boolean(),
    stored_events: Type.Integer({ description: 'How many were redacted.' }),
    dead_letters: Type.Integer({ description: 'How many were redacted.' }),
  }),
  change: 'personal',
  heavy: true,
  refusals: ['driver_not_found', 'erasure_refused'],
  async run(context, { fleet_id, driver_id, reason, keep_aggregates = false }) {
    if (!isText(driver_id)) throw new Refusal('driver_not_found', 'No record can have such an id.');
    const pool = context.pool(ROLES.eraser);
    context.keep({ fleet_id, pseudonym: await pseudonymOf(pool, fleet_id, driver_id), keep_aggregates, reason });
    const wanted = { fleetId: fleet_id, driverId: driver_id, reason, keepAggregates: keep_aggregates };
    const answer = await eraseDriver(pool, PROJECTIONS, wanted).catch((error: unknown) => {
      if (!(error instanceof NothingToEraseError)) throw error;
      throw new Refusal('erasure_refused', refusalSentence(error.reason, fleet_id, context));
    });
    const { stored_events, dead_letters, position } = answer;
    const detail = `${stored_events} stored events and ${dead_letters} dead letters redacted, position ${position}`;
    return { answer, detail };
  },
});

export const previewErasure = operation({
  name: 'drivers.preview',
  arguments: [],
  path: '/drivers/:fleet_id/:driver_id/erasure',
  summary: 'Preview an erasure',
  description: 'How many trips and stored events the erasure of a driver would redact as things stand.',
  input: Type.Object(driver),
  answer: Type.Object({ trips: Type.Integer(), stored_events: Type.Integer() }),
  heavy: true,
  refusals: ['driver_not_found'],
  async run({ pool }, { fleet_id, driver_id }) {
    if (!isText(driver_id)) throw new Refusal('driver_not_found', 'No record can have such an id.');
    return { answer: await countWhatGoes(pool(ROLES.operator), fleet_id, driver_id) };
  },
});

export const operations = [previewErasure, erase];
