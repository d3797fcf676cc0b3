import type { TestProject } from 'vitest/node';
import { buildConsole } from './console/build.ts';
import './provided.ts';
import { startTestServices } from './services/index.ts';
import { createTemplate } from './template.ts';

/** Starts the services of the run, provides their addresses to the tests, and stops the services at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildConsole();
  const services = await startTestServices(process.env);
  project.provide('servicesProvider', services.provider);
  project.provide('postgresUrl', services.postgresUrl);
  project.provide('kafkaBrokers', services.kafkaBrokers);
  project.provide('redisUrl', services.redisUrl);
  project.provide('unavailableServices', services.unavailable);
  project.provide('containersPassedOver', services.passedOver);
  if (services.postgresUrl === null) return services.stop;
  try {
    const template = await createTemplate(services.postgresUrl);
    project.provide('template', template.address);
    return async () => {
      await template.stop();
      await services.stop();
    };
  } catch (error) {
    await services.stop();
    throw error;
  }
}
