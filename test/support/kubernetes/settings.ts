import type { Environment } from '@milepost/service';
import { readConfig as readApi } from '../../../apps/api/config.ts';
import { databaseSettings, laneCount, loginPasswords } from '../../../apps/cli/config.ts';
import { settingsOf } from '../../../apps/cli/settings.ts';
import { readConfig as readIngest } from '../../../apps/ingest/config.ts';
import { readConfig as readOps } from '../../../apps/ops/config.ts';
import { readConfig as readProjector } from '../../../apps/projector/config.ts';

/** The functions that read each process's settings. */
const READERS: Readonly<Record<string, (environment: Environment) => unknown>> = {
  api: readApi,
  ops: readOps,
  ingest: readIngest,
  projector: readProjector,
  migrate: (environment) => [databaseSettings(environment), loginPasswords(environment), laneCount(environment)],
};

/**
 * Reads a process's settings in the same way as the process does.
 *
 * @returns the names of all settings that the process reads
 * @throws SettingError when a setting in the environment is invalid or does not exist
 */
export function readSettingsOf(name: string, environment: Environment): Set<string> {
  const read = READERS[name];
  if (read === undefined) throw new Error(`${name} is not a process of Milepost.`);
  read(environment);
  return new Set(settingsOf(name));
}
