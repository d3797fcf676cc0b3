import { readKafkaConfig } from '@milepost/kafka/config';
import { type Environment, metricsAddress, processSettings, readSettings, type Settings } from '@milepost/service';

/** Reads the settings of the ingest process. Throws SettingError. */
export function readConfig(source: Environment | Settings = process.env) {
  return readSettings(source, (settings) => ({
    ...processSettings(settings, 'pooled'),
    metrics: metricsAddress(settings),
    kafka: readKafkaConfig(settings),
  }));
}
