import { randomBytes } from 'node:crypto';
import { generateApiKey, hashApiKey } from '@milepost/domain/api-key';
import { DRIVER_PROFILE, TRIP_PROCESSED } from '@milepost/domain/stored-event';
import { execute, type Pool, query, ROLES, statement } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { operation } from './operation.ts';
import { Refusal } from './refusal.ts';
import { columnsOf, FleetId, isText, nullable, Time } from './schemas.ts';

const KeyFleetId = FleetId('the fleet whose reports the key opens');

const KeyId = Type.String({ description: 'Names the key; it is not the key itself.' });

const FIND_API_KEY = statement('find-api-key')`
  SELECT FROM access.api_key WHERE key_hash = $1 AND fleet_id = $2 AND revoked_at IS NULL`;

/** Whether a key opens a fleet's reports at this moment. */
export async function isValidApiKey(pool: Pool, key: string, fleetId: string): Promise<boolean> {
  return (await execute(pool, FIND_API_KEY, [hashApiKey(key), fleetId])) === 1;
}

const CreatedKey = Type.Object({
  id: KeyId,
  fleet_id: KeyFleetId,
  key: Type.String({ description: 'The only time it is known: the database keeps its hash alone.' }),
});

const KNOWS_FLEET = statement('knows-fleet')`
  SELECT WHERE EXISTS (SELECT FROM log.stored_event WHERE fleet_id = $1 AND kind = ${TRIP_PROCESSED} AND effective)
    OR EXISTS (SELECT FROM log.stored_event WHERE fleet_id = $1 AND kind = ${DRIVER_PROFILE})`;

/** A fleet needs no registration, so a misspelt one gets a key too. What to say then; null for a fleet with records. */
async function unknownFleet(pool: Pool, fleetId: string): Promise<string | null> {
  if ((await execute(pool, KNOWS_FLEET, [fleetId])) > 0) return null;
  return `No record of the fleet ${fleetId} is stored yet: the key opens empty reports until one comes.`;
}

const CREATE_API_KEY = statement('create-api-key')`
  INSERT INTO access.api_key (api_key_id, fleet_id, key_hash) VALUES ($1, $2, $3)`;

/** Makes an API key for a fleet; the database keeps its hash alone. */
export async function createApiKey(pool: Pool, fleetId: string): Promise<Static<typeof CreatedKey>> {
  const id = `key_${randomBytes(4).toString('hex')}`;
  const key = generateApiKey();
  await execute(pool, CREATE_API_KEY, [id, fleetId, hashApiKey(key)]);
  return { id, fleet_id: fleetId, key };
}

export const createKey = operation({
  name: 'keys.create',
  path: '/keys',
  summary: 'Create an API key',
  description: 'The answer is the only time that the key is shown: the database keeps its hash alone.',
  input: Type.Object({ fleet_id: KeyFleetId }),
  answer: Type.Object({
    ...CreatedKey.properties,
    warning: nullable(Type.String({ description: 'Said of a fleet without records; null else.' })),
  }),
  statuses: [[201, 'The key is made.']],
  change: 'recorded',
  secret: true,
  async run({ pool }, { fleet_id }) {
    const created = await createApiKey(pool(ROLES.operator), fleet_id);
    const warning = await unknownFleet(pool(ROLES.operator), fleet_id);
    return { answer: { ...created, warning }, detail: created.id };
  },
});

const Key = Type.Object(
  { id: KeyId, fleet_id: KeyFleetId, created_at: Time, revoked_at: nullable(Time) },
  { $id: 'ApiKey' },
);

const LIST_API_KEYS = statement('list-api-keys', columnsOf(Key))`
  SELECT api_key_id AS id, fleet_id, created_at, revoked_at FROM access.api_key ORDER BY created_at, api_key_id`;

export const listKeys = operation({
  name: 'keys.list',
  path: '/keys',
  summary: 'List API keys',
  description: 'The keys of all fleets, revoked ones too, in the order of their making.',
  input: Type.Object({}),
  answer: Type.Object({ keys: Type.Array(Key) }),
  async run({ pool }) {
    return { answer: { keys: await query(pool(ROLES.operator), LIST_API_KEYS) } };
  },
});

/** The key keeps the time of its first revocation. */
const REVOKE_API_KEY = statement('revoke-api-key')`
  UPDATE access.api_key SET revoked_at = coalesce(revoked_at, now()) WHERE api_key_id = $1`;

export const revokeKey = operation({
  name: 'keys.revoke',
  method: 'DELETE',
  path: '/keys/:id',
  summary: 'Revoke an API key',
  description: 'It opens nothing from now on. Done twice, nothing more happens.',
  input: Type.Object({ id: KeyId }),
  answer: Type.Null(),
  statuses: [[204, 'The key is revoked.']],
  change: 'recorded',
  refusals: ['key_not_found'],
  async run({ pool, mention }, { id }) {
    const revoked = isText(id) ? await execute(pool(ROLES.operator), REVOKE_API_KEY, [id]) : 0;
    if (revoked === 1) return { answer: null };
    throw new Refusal(
      'key_not_found',
      `There is no API key with this id: ${mention.operation('keys.list')} lists the ids.`,
    );
  },
});

export const operations = [listKeys, createKey, revokeKey];
