import type { Command } from 'commander';
import { addErase } from './erase.ts';

/** `milepost drivers`: what is done about one driver. */
export function addDrivers(program: Command): void {
  const drivers = program.command('drivers').description('Erase a driver.').helpCommand(false);
  addErase(drivers);
}
