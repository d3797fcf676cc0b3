import { type Environment, metricsAddress, processSettings, readSettings, type Settings } from '@milepost/service';

/** Reads the settings of the projector process. Throws SettingError. */
export function readConfig(source: Environment | Settings = process.env) {
  return readSettings(source, (settings) => ({
    ...processSettings(settings, 'direct'),
    metrics: metricsAddress(settings),
  }));
}
