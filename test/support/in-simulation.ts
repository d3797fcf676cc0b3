import type { Pool } from '@milepost/postgres';
import { Choices } from '../simulation/kernel/choices.ts';
import { replaceClock } from '../simulation/kernel/clock.ts';
import type { SimulatedDatabase } from '../simulation/kernel/database.ts';
import { Connections } from '../simulation/kernel/pool.ts';
import { Simulation } from '../simulation/kernel/simulation.ts';

/**
 * Runs one process's work on a simulated database without faults. Returns the work's result.
 *
 * @param open creates the database; its argument is a function that returns the simulated milliseconds
 */
export async function inSimulation<Database extends SimulatedDatabase, Value>(
  open: (now: () => number) => Database,
  work: (pool: Pool, database: Database) => Promise<Value>,
): Promise<Value> {
  const simulation = new Simulation(Choices.of([]));
  const process = { name: 'test', isPaused: false, isKilled: false };
  const database = open(() => simulation.now);
  const { pool } = new Connections(simulation, database, process);
  const restoreClock = replaceClock(() => simulation);
  try {
    const result = Promise.withResolvers<Value>();
    let hasEnded = false;
    simulation.start(process, async () => {
      result.resolve(await work(pool, database));
      hasEnded = true;
    });
    await simulation.run(() => hasEnded);
    return await result.promise;
  } finally {
    restoreClock();
  }
}
