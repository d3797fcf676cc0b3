/** Where the tiles of a base map come from. */
export interface Tiles {
  address: string;
  attribution: string;
}

function setting(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="milepost-${name}"]`)?.content ?? '';
}

/** The base map that the service names in the page; null without one, where paths are drawn on plain ground. */
export function tiles(): Tiles | null {
  const address = setting('map-tiles');
  return address === '' ? null : { address, attribution: setting('map-tiles-attribution') };
}
