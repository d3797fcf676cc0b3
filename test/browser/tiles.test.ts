import { createServer, type Server } from 'node:http';
import { tripId } from '@milepost/domain/trip-id';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';

/** An image of a single pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface TileServer {
  server: Server;
  origin: string;
  /** The requested paths, each with its Referer. */
  asked: { path: string; referer: string | undefined }[];
}

async function startTiles(): Promise<TileServer> {
  const asked: TileServer['asked'] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', referer: request.headers.referer });
    response.setHeader('content-type', 'image/png').setHeader('cross-origin-resource-policy', 'cross-origin');
    response.end(PICTURE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The tile server has no port.');
  return { server, origin: `http://127.0.0.1:${address.port}`, asked };
}

/** Returns 'shown' if the page may show an image, or else the directive of its policy that forbids it. */
const show = (address: string) => `new Promise((resolve) => {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
  const picture = new Image();
  picture.onload = () => resolve('shown');
  picture.src = '${address}';
})`;

describeWithBrowser('a base map from a configured address', () => {
  let tiles: TileServer;
  let other: TileServer;
  let explore: ExploreWorld;

  beforeAll(async () => {
    tiles = await startTiles();
    other = await startTiles();
    const mapTiles = { address: `${tiles.origin}/{z}/{x}/{y}.png`, attribution: '© <Example>' };
    explore = await openExplore({ mapTiles });
  });
  afterAll(async () => {
    await explore?.close();
    for (const { server } of [tiles, other]) server?.close();
  });

  it('is shown with its attribution, and the tile server receives no URL of a view', async () => {
    const { page, complaints } = await explore.open(`#/trip/${tripId('acme', 'seen')}`);
    await page.locator('img.leaflet-tile-loaded').first().waitFor();
    await page.getByText('© <Example>').waitFor();
    expect(tiles.asked.length).toBeGreaterThan(0);
    for (const { path, referer } of tiles.asked) {
      expect(path).toMatch(/^\/\d+\/\d+\/\d+\.png$/);
      expect(referer).toBe(`${explore.origin}/`);
    }
    expect(complaints).toEqual([]);
  });

  it('is the only external source that the policy allows', async () => {
    const { page } = await explore.open();
    expect(await page.evaluate<string>(show(`${tiles.origin}/0/0/0.png`))).toBe('shown');
    expect(await page.evaluate<string>(show(`${other.origin}/0/0/0.png`))).toBe('img-src');
    expect(other.asked).toEqual([]);
  });
});
