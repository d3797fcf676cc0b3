import { type AxeResults, source } from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  var axe: { run: () => Promise<AxeResults> };
}

/** Lists where a page, in its current state, violates rules of WCAG 2.2 AA or of good practice. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const { violations } = await page.evaluate(async () => await globalThis.axe.run());
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}
