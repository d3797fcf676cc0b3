import { logFields } from '@milepost/tracing';
import { startTracing } from '@milepost/tracing/start';
import { addLogFields, createLogger, type Logger } from './log.ts';
import type { ProcessSettings } from './process-settings.ts';

/**
 * Switches tracing on if there are settings for it, and creates the logger of a process. Loggers created earlier do not
 * log trace ids.
 *
 * @param name the process's name, such as `api`
 * @returns the logger, and a function that sends the last spans; call it when all other work has ended
 */
export async function startDiagnostics(name: string, { tracing, logLevel }: ProcessSettings) {
  const onError = (reason: string) => logger.warn({ reason }, 'Spans were not exported.');
  const stopTracing = await startTracing(tracing, name, onError);
  if (tracing) addLogFields(logFields);
  const logger: Logger = createLogger(name, logLevel);
  return { logger, stopTracing };
}
