import { tripId } from '@milepost/domain/trip-id';
import { expect, onTestFinished } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { it } from '../support/console/explore.ts';
import { serveLocally } from '../support/listen.ts';

/** An image of a single pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Starts a tile server until the test ends. Returns its origin, and the requested paths with their Referer. */
async function startTiles() {
  const asked: { path: string; referer: string | undefined }[] = [];
  const { origin, close } = await serveLocally((request, response) => {
    asked.push({ path: request.url ?? '', referer: request.headers.referer });
    response.setHeader('content-type', 'image/png').setHeader('cross-origin-resource-policy', 'cross-origin');
    response.end(PICTURE);
  });
  onTestFinished(close);
  return { origin, asked };
}

/** Returns 'shown' if the page is allowed to show an image, otherwise the directive in its policy that forbids it. */
const show = (address: string) => `new Promise((resolve) => {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
  const picture = new Image();
  picture.onload = () => resolve('shown');
  picture.src = '${address}';
})`;

describeWithBrowser('a base map from a configured address', () => {
  it("is shown with its attribution, hides the views' URLs from its server, and is the only external source", async ({
    explore,
  }) => {
    const [tiles, other] = [await startTiles(), await startTiles()];
    const mapTiles = { address: `${tiles.origin}/{z}/{x}/{y}.png`, attribution: '© <Example>' };
    const origin = await explore.serve({ mapTiles });
    const { page, complaints } = await explore.open(`#/trip/${tripId('acme', 'seen')}`, { origin });
    await page.locator('img.leaflet-tile-loaded').first().waitFor();
    await page.getByText('© <Example>').waitFor();
    for (const { path, referer } of tiles.asked) {
      expect(path).toMatch(/^\/\d+\/\d+\/\d+\.png$/);
      expect(referer).toBe(`${origin}/`);
    }
    expect(complaints).toEqual([]);
    expect(await page.evaluate<string>(show(`${tiles.origin}/0/0/0.png`))).toBe('shown');
    expect(await page.evaluate<string>(show(`${other.origin}/0/0/0.png`))).toBe('img-src');
    expect(other.asked).toEqual([]);
  });
});
