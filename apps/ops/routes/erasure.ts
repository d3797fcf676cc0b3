import { eraseDriver, erasedInWords, pseudonymOf } from '@milepost/erasure';
import { RefusedError } from '@milepost/operations/audit-trail';
import { PROJECTIONS } from '@milepost/projections';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { Problem } from '../problems/problem.ts';
import { changeProblems, type RouteContext } from './context.ts';
import { driverParams, operatorHeaders } from './schemas.ts';

/** A shorter id may well be part of a word. */
const SHORTEST_TELLING_ID = 4;

const Request = Type.Object(
  {
    reason: Type.String({
      pattern: '^[^\\u0000]{0,999}[^\\s\\u0000][^\\u0000]{0,999}$',
      maxLength: 1_000,
      description: '1 to 1,000 characters: why. It is kept for good, so it must not name the person.',
    }),
    keep_aggregates: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'true or false: whether the daily and weekly figures stay, under a pseudonym.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ErasureResource = Type.Object({
  position: Type.Integer({ description: 'Of the stored event that says that it happened.' }),
  fleet_id: Type.String(),
  pseudonym: Type.String({ description: "Stands in place of the driver's id from now on." }),
  aggregates_kept: Type.Boolean(),
  stored_events: Type.Integer({ description: 'How many were redacted.' }),
  dead_letters: Type.Integer({ description: 'How many were redacted.' }),
});

const schema = {
  tags: ['Drivers'],
  summary: 'Erase a driver',
  description:
    "Removes the person for good: names, email, alias, the driver's id, coordinates, paths and trip events go from the log, from every read table and from the dead letters, and a pseudonym takes the id's place. Records about the driver are refused from then on. There is no way back. What backups, the write-ahead log and the Kafka topic hold goes when these expire. While it runs, usually well under a second, nothing is stored or projected; readers go on. The audit trail names the pseudonym alone.",
  headers: operatorHeaders,
  params: driverParams,
  body: Request,
  response: { 200: ErasureResource, ...changeProblems('driver_not_found', 'erasure_refused') },
};

interface Route {
  Params: Static<typeof driverParams>;
  Body: Static<typeof Request>;
}

function assertNameless(reason: string, driverId: string): void {
  if (driverId.length < SHORTEST_TELLING_ID || !reason.includes(driverId)) return;
  const errors = [{ parameter: 'reason', message: 'Must not name the driver: it is kept for good.' }];
  throw new Problem('invalid_parameter', 'Wrong or missing: reason.', { errors });
}

export async function erasureRoute(app: FastifyInstance, { eraserPool }: RouteContext): Promise<void> {
  const config = { action: 'drivers.erase', personal: true };
  app.post<Route>('/drivers/:fleet_id/:driver_id/erasure', { schema, config }, async (request) => {
    const { fleet_id, driver_id } = request.params;
    const { reason, keep_aggregates = false } = request.body;
    // No text of PostgreSQL holds U+0000: asking for one would fail.
    if (`${fleet_id}${driver_id}`.includes('\0')) {
      throw new Problem('driver_not_found', 'No record can have such an id.');
    }
    assertNameless(reason, driver_id);
    const pseudonym = await pseudonymOf(eraserPool, fleet_id, driver_id);
    request.parameters = { fleet_id, pseudonym, keep_aggregates, reason };
    const wanted = { fleetId: fleet_id, driverId: driver_id, reason, keepAggregates: keep_aggregates };
    const erasure = await eraseDriver(eraserPool, PROJECTIONS, wanted).catch((error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
      throw new Problem('erasure_refused', error.message.replace('--keep-aggregates', 'keep_aggregates'));
    });
    request.outcomeDetail = erasedInWords(erasure);
    return erasure;
  });
}
