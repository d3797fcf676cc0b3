import type { TestProject } from 'vitest/node';
import { buildConsole } from './console/build.ts';
import './provided.ts';
import { startTestServices } from './services/index.ts';
import { createTemplate } from './template.ts';

async function start() {
  buildConsole();
  const services = await startTestServices(process.env);
  if (services.postgresUrl === null) return { ...services, template: '' };
  try {
    const template = await createTemplate(services.postgresUrl);
    const stop = async () => {
      await template.stop();
      await services.stop();
    };
    return { ...services, template: template.address, stop };
  } catch (error) {
    await services.stop();
    throw error;
  }
}

interface Shared {
  services: ReturnType<typeof start>;
  projects: number;
}

declare global {
  /** The services for this run. All projects share them, although Vitest loads this file once for each project. */
  var milepostTestServices: Shared | undefined;
}

/** Starts the run's services, provides their addresses to the tests, and stops the services at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  globalThis.milepostTestServices ??= { services: start(), projects: 0 };
  const shared = globalThis.milepostTestServices;
  shared.projects += 1;
  const services = await shared.services;
  project.provide('servicesProvider', services.provider);
  project.provide('postgresUrl', services.postgresUrl);
  project.provide('kafkaBrokers', services.kafkaBrokers);
  project.provide('redisUrl', services.redisUrl);
  project.provide('unavailableServices', services.unavailable);
  project.provide('containersPassedOver', services.passedOver);
  project.provide('template', services.template);
  return async () => {
    shared.projects -= 1;
    if (shared.projects > 0) return;
    globalThis.milepostTestServices = undefined;
    await services.stop();
  };
}
