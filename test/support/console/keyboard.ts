import type { Page } from 'playwright-core';

/** The maximum number of Tab stops to try. Every element that a test looks for comes earlier. */
const MAX_STOPS = 120;

const NOTHING = 'nothing';

interface Stop {
  isVisible: boolean;
  isForward: boolean;
}

/**
 * The focused element as screen readers describe it, such as `button "Play"`, or its text if it has no accessible name.
 */
export async function focused(page: Page): Promise<string> {
  const element = page.locator(':focus');
  if ((await element.count()) === 0) return await page.evaluate<string>(PART);
  const [line = ''] = (await element.ariaSnapshot()).split('\n');
  if (line === '') return await element.innerText();
  // The snapshot is YAML, in which some names are quoted.
  return line.replace(/^- '?/, '').replace(/'?:?$/, '');
}

/**
 * A date field has several parts. While one of them has the focus, no element on the page matches `:focus`.
 */
const PART = `document.activeElement === document.body ? '${NOTHING}' : 'part of ' + document.activeElement.type`;

/** Tells whether the focus is visible and follows the previous stop in reading order. */
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
  // The browser itself outlines the parts of a field.
  const isPart = element !== document.body && !element.matches(':focus');
  // A choice's control lies under its label, and the label shows the outline.
  return { isVisible: isPart || isOutlined(element) || isOutlined(element.nextElementSibling), isForward };
})()`;

/**
 * Presses Tab until the focused element's description matches `wanted`. Every stop must be visible and follow the
 * previous one.
 *
 * @returns the stops
 */
export async function tabTo(page: Page, wanted: RegExp): Promise<string[]> {
  const stops: string[] = [];
  while (stops.length < MAX_STOPS) {
    await page.keyboard.press('Tab');
    const name = await focused(page);
    if (name === NOTHING) break;
    const { isVisible, isForward } = await page.evaluate<Stop>(LOOK);
    if (!isVisible) throw new Error(`The focus is not visible at ${name}.`);
    if (!isForward) throw new Error(`${name} precedes ${stops.at(-1)}. The stops: ${stops.join('; ')}`);
    stops.push(name);
    if (wanted.test(name)) return stops;
  }
  throw new Error(`Tab does not reach ${wanted}. The stops: ${stops.join('; ')}`);
}
