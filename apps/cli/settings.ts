import { settingsOf } from '@milepost/service';

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

/** Returns the help on the settings that an operation reads. */
export function operationSettingsHelp(group: string): string {
  return `${settingsHelp(group)}; with --server: OPS_TOKEN`;
}
