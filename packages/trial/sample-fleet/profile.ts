/** Ids and names of the fleet's drivers. */

import type { DriverProfile } from '@milepost/domain/vocabulary';
import type { Random } from './random.ts';

const FIRST_NAMES =
  'Ada Alonzo Beatriz Carlos Chloe Daniel Denise Elena Frank Gloria Hassan Ivy James Jing Kofi Latoya Linda Luis Maria Marcus Nadia Omar Priya Quinn Rosa Samuel Tomás Uma Victor Wanda Xavier Yolanda Zoë'.split(
    ' ',
  );
const LAST_NAMES =
  "Abbott Baker Chen Diaz Edwards Fischer Garcia Hughes Ibrahim Johnson Kim Lopez Martin Nguyen O'Brien Patel Quintero Reyes Smith Thompson Underwood Vargas Washington Xu Young Zimmerman".split(
    ' ',
  );

/** Returns the id of driver `index`. An unusual one contains slashes, spaces, commas, accents and an emoji. */
export function driverId(index: number, unusual: boolean): string {
  const number = String(index + 1).padStart(5, '0');
  return unusual ? `depot north/${number}, équipe 🚚` : `driver-${number}`;
}

interface ProfileOptions {
  fleetId: string;
  driverId: string;
  index: number;
  nullNames: boolean;
}

/** Returns the driver's profile at revision 1. Email and alias are sometimes null, even if the names are known. */
export function driverProfile(random: Random, { fleetId, driverId, index, nullNames }: ProfileOptions): DriverProfile {
  const first = random.pick(FIRST_NAMES);
  const last = random.pick(LAST_NAMES);
  const hasEmail = !random.chance(0.1);
  const hasAlias = random.chance(0.3);
  const mailbox = `${first}.${last}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase();
  return {
    kind: 'driver.profile',
    fleet_id: fleetId,
    driver_id: driverId,
    revision: 1,
    first_name: nullNames ? null : first,
    last_name: nullNames ? null : last,
    email: nullNames || !hasEmail ? null : `${mailbox}.${index + 1}@example.com`,
    alias: nullNames || !hasAlias ? null : `Unit ${index + 1}`,
  };
}
