import type { UncheckedObject } from './decode.ts';
import { explain } from './explain.ts';
import type { ParsedRecord } from './parsed-record.ts';
import { driverProfile } from './schema.ts';

export function readDriverProfile(value: UncheckedObject): ParsedRecord {
  if (!driverProfile.Check(value)) return explain(driverProfile.Type(), value, '');
  const { kind, fleet_id, driver_id, revision, first_name, last_name, email, alias } = value;
  return {
    ok: true,
    record: {
      kind,
      fleet_id,
      driver_id,
      revision,
      first_name: first_name ?? null,
      last_name: last_name ?? null,
      email: email ?? null,
      alias: alias ?? null,
    },
  };
}
