import { type CalendarDate, isCalendarDate } from '@milepost/domain/calendar';
import { FLEET_ID, TRIP_ID } from '@milepost/domain/ids';
import { InvalidArgumentError } from 'commander';

/** Returns a commander parser for whole numbers from `minimum` to `maximum`. */
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

/** Parses a fleet id. */
export function fleetId(text: string): string {
  if (!FLEET_ID.test(text))
    throw new InvalidArgumentError('It must consist of 1 to 64 characters from A-Z, a-z, 0-9, _ and -.');
  return text;
}

/** Parses a trip_id, which may contain the dashes of a UUID. Returns it without dashes, as the API does. */
export function tripId(text: string): string {
  const digits = text.toLowerCase();
  if (TRIP_ID.test(digits)) return digits;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(digits)) return digits.replaceAll('-', '');
  throw new InvalidArgumentError('It must be 32 hexadecimal digits (0-9, a-f), with or without the dashes of a UUID.');
}

/** Parses a day `YYYY-MM-DD`. */
export function calendarDate(text: string): CalendarDate {
  if (!isCalendarDate(text)) throw new InvalidArgumentError('It must be a day such as 2025-01-31.');
  return text;
}

/** Returns examples of the command as the last part of its help text. */
export function examples(...lines: string[]): string {
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}
