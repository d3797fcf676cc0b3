import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { it } from 'vitest';
import { describeWithPostgres } from '../service-suites.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const HOW = 'needs chromium: apt-get install chromium';

const executablePath = PLACES.find((place) => existsSync(place));

/** Starts a headless browser that is installed on this machine. The caller closes it. */
export async function startBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(HOW);
  // In containers, where tests run as root, Chromium's own sandbox cannot start.
  return await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/**
 * A suite that needs a browser and PostgreSQL. Without these services, the suite is skipped, or fails if
 * REQUIRE_SERVICES=1.
 */
export function describeWithBrowser(title: string, body: () => void): void {
  if (executablePath !== undefined) {
    describeWithPostgres(title, body);
    return;
  }
  if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(`${title} ${HOW}.`);
  it.skipIf(true)(`${title} (${HOW})`, () => {});
}
