import {
  type MetricsAddress,
  metricsAddress,
  type ProcessSettings,
  processSettings,
  readSettings,
} from '@milepost/service';

interface ProjectorConfig extends ProcessSettings {
  /** If undefined, no metrics are served. */
  metrics: MetricsAddress | undefined;
}

/** The settings of the projector process. Throws SettingError. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): ProjectorConfig {
  return readSettings(environment, () => ({
    ...processSettings(environment, 'direct'),
    metrics: metricsAddress(environment),
  }));
}
