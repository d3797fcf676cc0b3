import { type Browser, chromium } from 'playwright-core';
import { chromiumFile, needs } from '../programs.ts';
import { describeWithPostgres } from '../service-suites.ts';

/** Starts this machine's browser without a window. The caller closes it. */
export async function startBrowser(): Promise<Browser> {
  // Tests run as root in containers, where Chromium's own sandbox cannot start.
  return await chromium.launch({ executablePath: chromiumFile(), args: ['--no-sandbox'] });
}

/** Declares a suite that needs a browser and PostgreSQL. Without them, it is skipped. */
export function describeWithBrowser(title: string, body: () => void): void {
  describeWithPostgres(title, body, needs('chromium'));
}
