export { databaseUrl, standbyUrl } from './database-url.ts';
export { createFrequentLogger, createLogger, type Logger, messageOf } from './log.ts';
export {
  logsRequests,
  type MetricsAddress,
  metricsAddress,
  type ProcessSettings,
  processSettings,
  publicUrl,
} from './process-settings.ts';
export {
  address,
  type Environment,
  flag,
  integer,
  oneOf,
  optionalText,
  readSettings,
  refuse,
  SettingError,
  type SettingName,
} from './settings.ts';
export { aborted, StopRequest, stopController, stopSignal } from './stop.ts';
