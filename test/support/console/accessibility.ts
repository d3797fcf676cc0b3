import { type AxeResults, source } from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  var axe: { run: () => Promise<AxeResults> };
}

/** The violations of WCAG 2.2 AA and of good practice on a page in its current state: the rule and the place. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const { violations } = await page.evaluate(async () => await globalThis.axe.run());
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}
