import { serverSetting } from '../shared/server-settings.ts';

/** The tiles of a base map. */
export interface Tiles {
  address: string;
  attribution: string;
}

/** The base map in the service's settings. If null, paths are drawn on a plain background. */
export function tiles(): Tiles | null {
  const address = serverSetting('map-tiles');
  return address === '' ? null : { address, attribution: serverSetting('map-tiles-attribution') };
}
