import type { Page } from 'playwright-core';

/** More stops than any view has before what a test looks for. */
const MOST_STOPS = 120;

const NOTHING = 'nothing';

interface Stop {
  isVisible: boolean;
  isForward: boolean;
}

/** What has the focus, as readers of screens tell it: `button "Play"`; by its words what they have no name for. */
export async function focused(page: Page): Promise<string> {
  const element = page.locator(':focus');
  if ((await element.count()) === 0) return await page.evaluate<string>(PART);
  const [line = ''] = (await element.ariaSnapshot()).split('\n');
  if (line === '') return await element.innerText();
  // A line of YAML, which has quotes around some names.
  return line.replace(/^- '?/, '').replace(/'?:?$/, '');
}

/** A field of dates has parts, which the browser does not count as focused elements of the page. */
const PART = `document.activeElement === document.body ? '${NOTHING}' : 'part of ' + document.activeElement.type`;

/** Whether the focus can be seen, and comes after the stop before it in the order of reading. */
const LOOK = `(() => {
  const element = document.activeElement;
  const isOutlined = (each) => {
    if (each === null) return false;
    const { outlineStyle, outlineWidth, opacity } = getComputedStyle(each);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0 && Number(opacity) > 0;
  };
  const before = globalThis.lastStop;
  globalThis.lastStop = element;
  const isForward =
    !before?.isConnected ||
    before === element ||
    (before.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  // The browser marks parts of a field itself.
  const isPart = element !== document.body && !element.matches(':focus');
  // What a choice is made of lies under its words, and these have the line around them.
  return { isVisible: isPart || isOutlined(element) || isOutlined(element.nextElementSibling), isForward };
})()`;

/**
 * Presses Tab until what is looked for has the focus. Every stop on the way must be seen, and come after the one before.
 *
 * @returns the stops
 */
export async function tabTo(page: Page, wanted: RegExp): Promise<string[]> {
  const stops: string[] = [];
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press('Tab');
    const name = await focused(page);
    if (name === NOTHING) break;
    const { isVisible, isForward } = await page.evaluate<Stop>(LOOK);
    if (!isVisible) throw new Error(`The focus cannot be seen at ${name}.`);
    if (!isForward) throw new Error(`${name} comes before ${stops.at(-1)}. The stops: ${stops.join('; ')}`);
    stops.push(name);
    if (wanted.test(name)) return stops;
  }
  throw new Error(`Tab does not reach ${wanted}. The stops: ${stops.join('; ')}`);
}
