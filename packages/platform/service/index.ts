export { createFrequentLogger, createLogger, type Logger, messageOf } from './log.ts';
export { databaseUrl, type MetricsAddress, metricsAddress, processSettings, standbyUrl } from './process-settings.ts';
export { type Environment, optionalText, readSettings, SettingError, type Settings } from './read-settings.ts';
export { PORTS_OF_UP, type SettingName, settingsOf } from './settings.ts';
export { aborted, StopRequest, stopController, stopSignal } from './stop.ts';
