import { randomBytes } from 'node:crypto';
import { generateApiKey, hashApiKey } from '@milepost/domain/api-key';
import { dateOf } from '@milepost/domain/calendar';
import { DRIVER_PROFILE, TRIP_PROCESSED } from '@milepost/domain/vocabulary';
import { execute, type Pool, query, ROLES, statement } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { operation } from '../language/operation.ts';
import { Refusal } from '../language/refusal.ts';
import { columnsOf, FleetId, isText, Moment, Named, nullable, OneOf, Text } from '../language/schemas.ts';

/** This is below the maximum value of the column, which is a four-byte integer. */
const MAX_REQUESTS_PER_MINUTE = 1_000_000_000;

const KeyFleetId = FleetId('the fleet whose reports the key gives access to');

const KeyId = Type.String({
  description: "The key's id, which is not the key itself.",
  examples: ['key_1a2b3c4d'],
});

const FIND_API_KEY = statement('find-api-key')`
  SELECT FROM api_key
  WHERE key_hash = $1 AND fleet_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;

/** Whether a key currently gives access to a fleet's reports. */
export async function isValidApiKey(directory: Pool, key: string, fleetId: string): Promise<boolean> {
  return (await execute(directory, FIND_API_KEY, [hashApiKey(key), fleetId])) === 1;
}

const CreatedKey = Type.Object({
  id: KeyId,
  fleet_id: KeyFleetId,
  key: Text(
    'The key. Only this response shows it: the database keeps only its hash.',
    'mp_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
  ),
});

const KNOWS_FLEET = statement('knows-fleet')`
  SELECT WHERE EXISTS (SELECT FROM stored_event WHERE fleet_id = $1 AND kind = ${TRIP_PROCESSED} AND effective)
    OR EXISTS (SELECT FROM stored_event WHERE fleet_id = $1 AND kind = ${DRIVER_PROFILE})`;

/**
 * Returns a warning for a fleet without records; otherwise null. Fleets need not be registered, so a key can be created
 * even for a misspelt id.
 */
async function unknownFleet(pool: Pool, fleetId: string): Promise<string | null> {
  if ((await execute(pool, KNOWS_FLEET, [fleetId])) > 0) return null;
  return `No record of fleet ${fleetId} has been stored yet: its reports are empty until a record arrives.`;
}

const CREATE_API_KEY = statement('create-api-key')`
  INSERT INTO api_key (api_key_id, fleet_id, key_hash, name, expires_at, rate_limit_per_minute)
  VALUES ($1, $2, $3, $4, $5::date::timestamp AT TIME ZONE 'UTC', $6)`;

/** The optional properties of a new key. */
const KeyOptions = Type.Object({
  name: Type.Optional(
    Type.String({
      pattern: '^[^\\p{Cc}\\p{Cs}]{1,100}$',
      description: '1 to 100 characters that say what the key is for, without control characters.',
      examples: ['billing export'],
    }),
  ),
  expires: Type.Optional(
    Type.String({
      format: 'date',
      description:
        'a date later than today (UTC), such as 2030-01-31: the first day on which the key is no longer valid.',
      examples: ['2030-01-31'],
    }),
  ),
  rate_limit_per_minute: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_REQUESTS_PER_MINUTE,
      description: `a whole number from 1 to ${MAX_REQUESTS_PER_MINUTE}: the limit for this key alone, in requests per minute. Without it, the key shares its fleet's limit.`,
      examples: [600],
    }),
  ),
});

/** Creates an API key for a fleet. The database keeps only its hash. */
export async function createApiKey(
  directory: Pool,
  fleetId: string,
  { name, expires, rate_limit_per_minute }: Static<typeof KeyOptions> = {},
): Promise<Static<typeof CreatedKey>> {
  const id = `key_${randomBytes(4).toString('hex')}`;
  const key = generateApiKey();
  const values = [id, fleetId, hashApiKey(key), name ?? null, expires ?? null, rate_limit_per_minute ?? null];
  await execute(directory, CREATE_API_KEY, values);
  return { id, fleet_id: fleetId, key };
}

export const createKey = operation({
  name: 'keys.create',
  path: '/keys',
  summary: 'Create an API key',
  shared: true,
  description:
    'Only this response shows the key: the database keeps only its hash. A fleet may have several keys, so a new key can replace an old one without an interruption.',
  input: Type.Object({ fleet_id: KeyFleetId, ...KeyOptions.properties }),
  inputErrors: ({ expires }) =>
    expires !== undefined && expires <= dateOf(Date.now())
      ? [{ parameter: 'expires', message: 'It must be a day after today, in UTC.' }]
      : [],
  answer: Type.Object({
    ...CreatedKey.properties,
    warning: nullable(
      Text('A warning when the fleet has no records; null otherwise.', 'No record of the fleet has been stored yet.'),
    ),
  }),
  statuses: [[201, 'The key has been created.']],
  change: 'recorded',
  secret: true,
  async run({ pool, directory }, { fleet_id, ...options }) {
    // This query comes first, because if it failed after the key was created, nobody would see the key.
    const warning = await unknownFleet(pool(ROLES.operator), fleet_id);
    const created = await createApiKey(directory, fleet_id, options);
    return { answer: { ...created, warning }, detail: created.id };
  },
});

const UNUSED_DAYS = 90;

const Key = Named('ApiKey', {
  id: KeyId,
  fleet_id: KeyFleetId,
  name: nullable(Text('What the key is for; null when it has no name.', 'billing export')),
  state: OneOf(
    ['valid', 'unused', 'expired', 'revoked'],
    `\`unused\`: valid, but not used for ${UNUSED_DAYS} days, so it can probably be revoked.`,
  ),
  created_at: Moment("The time of the key's creation."),
  expires_at: nullable(Moment('The time from which the key is no longer valid; null if it never expires.')),
  rate_limit_per_minute: nullable(
    Type.Integer({
      minimum: 1,
      description: "The limit for this key alone; null when it shares its fleet's limit.",
      examples: [600],
    }),
  ),
  last_used_at: nullable(Moment("The hour of the key's last use; null if it has never been used.")),
  revoked_at: nullable(Moment("The time of the key's revocation; null if it has not been revoked.")),
});

const LIST_API_KEYS = statement('list-api-keys', columnsOf(Key))`
  SELECT api_key_id AS id, fleet_id, name,
    CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired'
      WHEN coalesce(last_used_at, created_at) < now() - interval '${UNUSED_DAYS} days' THEN 'unused' ELSE 'valid' END AS state,
    created_at, expires_at, rate_limit_per_minute, last_used_at, revoked_at FROM api_key ORDER BY created_at, api_key_id`;

/** Exported for tests. */
export const listKeys = operation({
  name: 'keys.list',
  path: '/keys',
  summary: 'List API keys',
  shared: true,
  description: 'The keys of all fleets, including revoked and expired keys, in order of creation.',
  input: Type.Object({}),
  answer: Type.Object({ keys: Type.Array(Key, { description: 'All keys of all fleets.' }) }),
  async run({ directory }) {
    return { answer: { keys: await query(directory, LIST_API_KEYS) } };
  },
});

/** The key keeps the time of its first revocation. */
const REVOKE_API_KEY = statement('revoke-api-key')`
  UPDATE api_key SET revoked_at = coalesce(revoked_at, now()) WHERE api_key_id = $1`;

export const revokeKey = operation({
  name: 'keys.revoke',
  method: 'DELETE',
  path: '/keys/:id',
  summary: 'Revoke an API key',
  shared: true,
  description: 'Makes the key invalid from now on. Repeating the request has no further effect.',
  input: Type.Object({ id: KeyId }),
  answer: Type.Null(),
  statuses: [[204, 'The key has been revoked.']],
  change: 'recorded',
  refusals: ['key_not_found'],
  async run({ directory }, { id }) {
    const revoked = isText(id) ? await execute(directory, REVOKE_API_KEY, [id]) : 0;
    if (revoked === 1) return { answer: null };
    throw new Refusal({ code: 'key_not_found' });
  },
});

export const operations = [listKeys, createKey, revokeKey];
