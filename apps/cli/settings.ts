import { SETTING_GROUPS } from '@milepost/service';

const { database, kafka, lanes, metrics, passwords, redis, standbys, processes, api, ops, up } = SETTING_GROUPS;
/** The settings for each process, command or group of operations that reads more than the database's location. */
const SETTINGS_OF: Readonly<Record<string, object>> = {
  up,
  migrate: { ...database, ...lanes, ...passwords },
  api,
  projector: { ...processes, ...metrics },
  ops,
  ingest: { ...processes, ...metrics, ...kafka },
  doctor: { ...database, ...standbys, ...kafka, ...redis },
  simulate: kafka,
  status: { ...database, ...kafka },
  replay: { ...database, ...redis },
  retention: { ...database, ...redis },
};

/**
 * Returns the names of the settings that a process, command or group of operations reads, in the order of the help.
 * Exported for tests.
 */
export function settingsOf(command: string): string[] {
  return Object.keys(SETTINGS_OF[command] ?? database);
}

/** Returns the help on the settings that a command or a group of operations reads. */
export function settingsHelp(command: string): string {
  const lines: string[] = [];
  for (const name of settingsOf(command)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length < 100) lines[lines.length - 1] = `${last}, ${name}`;
    else lines.push(`  ${name}`);
  }
  return `\nSettings (see docs/settings.md):\n${lines.join(',\n')}`;
}
