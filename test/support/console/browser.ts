import { type Browser, chromium } from 'playwright-core';
import { chromiumFile, needs } from '../programs.ts';
import { describeWithPostgres } from '../service-suites.ts';

/** Starts a headless browser that is installed on this machine. The caller closes it. */
export async function startBrowser(): Promise<Browser> {
  // In containers, where tests run as root, Chromium's own sandbox cannot start.
  return await chromium.launch({ executablePath: chromiumFile(), args: ['--no-sandbox'] });
}

/** A suite that needs a browser and PostgreSQL. Without them, it is skipped. */
export function describeWithBrowser(title: string, body: () => void): void {
  describeWithPostgres(title, body, needs('chromium'));
}
