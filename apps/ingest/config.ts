import { type KafkaConfig, readKafkaConfig } from '@milepost/kafka/config';
import {
  type MetricsAddress,
  metricsAddress,
  type ProcessSettings,
  processSettings,
  readSettings,
} from '@milepost/service';

interface IngestConfig extends ProcessSettings {
  /** If undefined, no metrics are served. */
  metrics: MetricsAddress | undefined;
  kafka: KafkaConfig;
}

/** Reads the settings of the ingest process. Throws SettingError. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): IngestConfig {
  return readSettings(environment, () => ({
    ...processSettings(environment, 'pooled'),
    metrics: metricsAddress(environment),
    kafka: readKafkaConfig(environment),
  }));
}
