import type { Page } from 'playwright-core';

/** The area that one colour covers on a map's canvas, in CSS pixels of the window. */
interface Drawn {
  left: number;
  right: number;
  /** The number of columns that contain the colour. */
  columns: number;
  /** The height of the tallest column. */
  height: number;
}

const FIND = (variable: string) => `(() => {
  const canvas = document.querySelector('.map canvas');
  const probe = document.createElement('span');
  probe.style.color = 'var(${variable})';
  document.querySelector('.map').append(probe);
  const colour = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
  probe.remove();
  const box = canvas.getBoundingClientRect();
  const { width, height } = canvas;
  // Reading from a copy does not slow down the page's canvas.
  const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  const scale = box.width / width;
  const heights = new Map();
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) {
    const at = 4 * (y * width + x);
    // The edges of a line are blurred.
    if (data[at + 3] < 250 || colour.some((part, index) => Math.abs(data[at + index] - part) > 3)) continue;
    heights.set(x, (heights.get(x) ?? 0) + 1);
  }
  if (heights.size === 0) return null;
  return {
    left: box.left + scale * Math.min(...heights.keys()),
    right: box.left + scale * (Math.max(...heights.keys()) + 1),
    columns: scale * heights.size,
    height: scale * Math.max(...heights.values()),
  };
})()`;

/** Returns where the map draws lines in a CSS variable's colour; null if it draws none. */
export async function drawnIn(page: Page, variable: string): Promise<Drawn | null> {
  return await page.evaluate<Drawn | null>(FIND(variable));
}

/** Returns the middle of an element, in CSS pixels of the window. */
export async function middleOf(page: Page, selector: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not visible.`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
