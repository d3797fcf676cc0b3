import type { Driver } from './reports.ts';

/** What a driver is called: by name, else by alias, else by the id that always is there. */
export function driverName({ first_name, last_name, alias, driver_id }: Driver): string {
  const name = [first_name, last_name].filter((part) => part !== null).join(' ');
  return name || alias || driver_id;
}

/** Whether a driver is meant by what was typed: all words of it occur in names, alias, email or id. */
export function matchesDriver(driver: Driver, typed: string): boolean {
  const { first_name, last_name, alias, email, driver_id } = driver;
  const text = [first_name, last_name, alias, email, driver_id].join(' ').toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** How trip events are called where people read. */
const EVENT_TITLES: Readonly<Record<string, string>> = {
  PHONE_USE: 'Phone use',
  HARD_BRAKE: 'Hard brake',
  RAPID_ACCELERATION: 'Rapid acceleration',
  OVERSPEEDING: 'Overspeeding',
};

/** What a trip event is called; one that is new to these pages by its own name. */
export function eventTitle(name: string): string {
  return EVENT_TITLES[name] ?? name;
}
