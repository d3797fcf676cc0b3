import { type ProcessSettings, processSettings, readSettings } from '@milepost/service';

/** The settings of the projector process. Throws SettingError. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): ProcessSettings {
  return readSettings(environment, () => processSettings(environment));
}
