import type { Driver } from '@milepost/client';

/** A driver's name, or the alias if the name is missing, or the id if both are missing. */
export function driverName({ first_name, last_name, alias, driver_id }: Driver): string {
  const name = [first_name, last_name].filter((part) => part !== null).join(' ');
  return name || alias || driver_id;
}

/** Whether a driver's names, alias, email and id together contain all the words typed. */
export function matchesDriver(driver: Driver, typed: string): boolean {
  const { first_name, last_name, alias, email, driver_id } = driver;
  const text = [first_name, last_name, alias, email, driver_id].join(' ').toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The name of a trip event in words, such as `Hard brake` for `HARD_BRAKE`. */
export function eventTitle(name: string): string {
  return `${name.slice(0, 1)}${name.slice(1).toLowerCase().replaceAll('_', ' ')}`;
}
