import { Driver, type Summaries, type UnknownDrivers } from '@milepost/projections/queries';
import type { FastifyReply } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { Problem } from '../problems/problem.ts';
import { sendFinished } from './send.ts';

/** The shape of the summaries of several drivers. */
export function summariesSchema<Summary extends TSchema>(summary: Summary) {
  return Type.Object(
    { data: Type.Array(Type.Object({ driver_info: Driver, driving_summary: summary })) },
    { description: 'One element per requested driver, in the order of the request.' },
  );
}

/** Sends summaries, or throws `driver_not_found` naming every unknown driver. */
export function sendSummaries(reply: FastifyReply, found: Summaries | UnknownDrivers): FastifyReply {
  if ('unknown' in found) {
    const names = found.unknown.map((id) => JSON.stringify(id));
    const errors = names.map((name) => ({ parameter: 'driver_id', message: `The fleet has no driver ${name}.` }));
    throw new Problem('driver_not_found', `The fleet has no driver ${names.join(', ')}.`, { errors });
  }
  return sendFinished(reply, found, `{"data":[${found.items}]}`);
}
