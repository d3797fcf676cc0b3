import { startTestServices } from '../../support/services/index.ts';
import { type Mutant, projectOf } from './mutant.ts';

const PROJECTS_WITHOUT_SERVICES = ['pure', 'simulation', 'containers'];

/**
 * Starts the services that the mutants' tests need, once for all runs. If the environment contains the addresses of
 * running services, uses these services instead.
 *
 * @returns the environment variables for the runs, and a function that stops the services
 */
export async function startServices(
  mutants: readonly Mutant[],
): Promise<{ variables: NodeJS.ProcessEnv; stop: () => Promise<void> }> {
  const variables = { REQUIRE_SERVICES: '1', TEST_SERVICES: 'running' };
  const areRunning = process.env['TEST_POSTGRES_URL'] !== undefined;
  if (areRunning || mutants.every((mutant) => PROJECTS_WITHOUT_SERVICES.includes(projectOf(mutant)))) {
    return { variables, stop: async () => {} };
  }
  const { postgresUrl, kafkaBrokers, redisUrl, stop } = await startTestServices({
    ...process.env,
    REQUIRE_SERVICES: '1',
  });
  const addresses = {
    TEST_POSTGRES_URL: postgresUrl ?? '',
    TEST_KAFKA_BROKERS: kafkaBrokers?.join(',') ?? '',
    TEST_REDIS_URL: redisUrl ?? '',
  };
  return { variables: { ...variables, ...addresses }, stop };
}
