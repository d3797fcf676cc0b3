export { causeOf, createLogger, type Logger, messageOf } from './log.ts';
export { databaseUrl, type MetricsAddress, metricsAddress, processSettings, standbyUrl } from './process-settings.ts';
export { type Environment, optionalText, readSettings, SettingError, type Settings } from './read-settings.ts';
export { MAX_PORT, SETTING_GROUPS, type SettingName } from './settings.ts';
