export { createLogger, LOG_LEVELS, type Logger, type LogLevel, messageOf } from './log.ts';
export { type ProcessSettings, processSettings } from './process-settings.ts';
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
