import { type Environment, optionalText, refuse } from '@milepost/service';

/** The base map of Explore, as XYZ tiles. */
export interface MapTiles {
  /** The URL of a tile, with `{z}`, `{x}` and `{y}`. */
  address: string;
  /** The attribution that the provider requires, as plain text. */
  attribution: string;
}

const PLACES = ['{z}', '{x}', '{y}'];

/** Reads MAP_TILES_ADDRESS and MAP_TILES_ATTRIBUTION. Returns undefined when no address is set. Throws SettingError. */
export function mapTiles(environment: Environment): MapTiles | undefined {
  const address = optionalText(environment, 'MAP_TILES_ADDRESS');
  const attribution = optionalText(environment, 'MAP_TILES_ATTRIBUTION') ?? '';
  if (address === undefined) {
    if (attribution !== '') refuse('MAP_TILES_ATTRIBUTION', 'MAP_TILES_ATTRIBUTION needs MAP_TILES_ADDRESS.');
    return undefined;
  }
  if (
    !URL.canParse(address) ||
    !/^https?:\/\/[\w.:[\]-]+\//.test(address) ||
    !PLACES.every((one) => address.includes(one))
  ) {
    refuse('MAP_TILES_ADDRESS', 'MAP_TILES_ADDRESS must be a URL such as https://tiles.example.org/{z}/{x}/{y}.png.');
  }
  return { address, attribution };
}
