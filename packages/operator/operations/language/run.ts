import { FIRST_LANE } from '@milepost/postgres/lanes';
import { findLaneOfFleet } from '@milepost/postgres/lanes/fleet-homes';
import type { LaneAccess, RolePools } from '@milepost/postgres/lanes/role-pools';
import type { Static, TObject, TSchema } from 'typebox';
import type { Operation, OperationContext } from './operation.ts';
import { Refusal } from './refusal.ts';

/** The services that a process provides to operations. */
export interface OperationServices extends Pick<OperationContext, 'directory' | 'announce' | 'askEndOffsets'> {
  /** The lanes, with connections made as the operator, ingest and eraser roles. */
  pools: RolePools;
}

/** Finds a lane. Throws Refusal when the lane does not exist. */
export async function findLane(pools: RolePools, number: number): Promise<LaneAccess> {
  if (number === FIRST_LANE) return pools.first;
  const lanes = await pools.list();
  const lane = lanes.find((each) => each.number === number);
  if (lane) return lane;
  throw new Refusal({ code: 'lane_not_found', lane: number, last: lanes.length - 1 });
}

/** A caller of an operation. */
interface Caller extends Pick<OperationContext, 'operator'> {
  /** The lane that the caller names. */
  lane: number | undefined;
  /** Receives what the audit trail stores: the operation's lane, and the parameters given to `recordParameters`. */
  attempt?: { lane: number; parameters: object | null };
}

/**
 * Runs an operation with input that the caller has checked, in the lane that the caller names, or else in the lane of
 * the input's fleet, or else in the first lane. The result includes the operation's usual status, unless the operation
 * returns another one.
 *
 * @throws Refusal when the named lane does not exist, or the current state does not allow the operation
 */
export async function runOperation<Input extends TObject, Answer extends TSchema>(
  { run, statuses }: Operation<Input, Answer>,
  input: Static<Input>,
  services: OperationServices,
  { operator, lane: named, attempt }: Caller,
) {
  const { pools, directory, announce } = services;
  const { fleet_id: fleetId }: { fleet_id?: unknown } = input;
  const isByFleet = named === undefined && typeof fleetId === 'string';
  const ofFleet = isByFleet ? await findLaneOfFleet(directory, fleetId) : undefined;
  const lane = await findLane(pools, named ?? ofFleet ?? FIRST_LANE);
  if (attempt) attempt.lane = lane.number;
  const context: OperationContext = {
    pool: lane.pool,
    lane: lane.number,
    lanes: async () => (named === undefined ? await pools.list() : [lane]),
    findLane: async (number) => await findLane(pools, number),
    directory,
    operator,
    announce,
    // This is a getter, so that a command reads the Kafka settings only if its operation needs Kafka.
    get askEndOffsets() {
      return services.askEndOffsets;
    },
    recordParameters(parameters) {
      if (attempt) attempt.parameters = parameters;
    },
  };
  return { detail: null, status: statuses?.[0]?.[0] ?? 200, ...(await run(context, input)) };
}
