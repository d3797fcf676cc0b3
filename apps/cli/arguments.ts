import { isCalendarDate } from '@milepost/domain/calendar';
import { InvalidArgumentError } from 'commander';

const FLEET_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Makes a reader of whole numbers for commander, from `minimum` to `maximum`. */
export function wholeNumber(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
      const limits = maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `${minimum} to ${maximum}`;
      throw new InvalidArgumentError(`It must be a whole number, ${limits}.`);
    }
    return value;
  };
}

/** A fleet id as records may carry it (packages/domain/records): 1 to 64 of A-Z, a-z, 0-9, _ and -. */
export function fleetId(text: string): string {
  if (!FLEET_ID.test(text))
    throw new InvalidArgumentError('It must be 1 to 64 of the characters A-Z, a-z, 0-9, _ and -.');
  return text;
}

/** A trip_id as answers have it, or with the dashes that databases and other tools write; returned without them. */
export function tripId(text: string): string {
  const digits = text.toLowerCase();
  if (/^[0-9a-f]{32}$/.test(digits)) return digits;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(digits)) return digits.replaceAll('-', '');
  throw new InvalidArgumentError('It must be 32 of the digits 0-9 and a-f, with or without the dashes of a UUID.');
}

/** A day `YYYY-MM-DD`. */
export function calendarDate(text: string): string {
  if (!isCalendarDate(text)) throw new InvalidArgumentError('It must be a day such as 2025-01-31.');
  return text;
}

/** The help text's last part: how the command is used; nothing for no examples. */
export function examples(...lines: string[]): string {
  if (lines.length === 0) return '';
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}
