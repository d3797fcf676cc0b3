import type { Pool } from '@milepost/postgres';
import { repeatChoices } from '../simulation/kernel/choices.ts';
import { replaceClock } from '../simulation/kernel/clock.ts';
import type { SimulatedDatabase } from '../simulation/kernel/database.ts';
import { openConnections } from '../simulation/kernel/pool.ts';
import { Simulation } from '../simulation/kernel/simulation.ts';

/** Runs one process's work on a simulated database without faults. Returns the work's result. */
export async function inSimulation<Value>(
  database: SimulatedDatabase,
  work: (pool: Pool) => Promise<Value>,
): Promise<Value> {
  const simulation = new Simulation(repeatChoices([]));
  const process = { name: 'test', isPaused: false, isKilled: false };
  const { pool } = openConnections(simulation, database, process);
  const restoreClock = replaceClock(() => simulation);
  try {
    return await simulation.runWork(process, async () => await work(pool));
  } finally {
    restoreClock();
  }
}
