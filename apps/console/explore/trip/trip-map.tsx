import type { ReadonlySignal } from '@preact/signals';
import { OnDemand } from '../../shared/on-demand.tsx';
import { units } from '../../shared/preferences.ts';
import { serverSetting } from '../../shared/server-settings.ts';
import type { MapTrip, Tiles, TripMap } from './map.ts';
import type { Place } from './path.ts';

interface MapProps {
  label: string;
  trips: readonly MapTrip[];
  /** A string that changes whenever the trips change. */
  version: string;
  /** The place of the vehicle. Without it, the map does not show the vehicle. */
  place?: ReadonlySignal<Place | null>;
  /** Receives the map, or null when it is removed. */
  onMap?: (map: TripMap | null) => void;
}

/** The base map in the service's settings. If null, paths are drawn on a plain background. */
function tiles(): Tiles | null {
  const address = serverSetting('map-tiles');
  return address === '' ? null : { address, attribution: serverSetting('map-tiles-attribution') };
}

/** A map of trips. The map library is loaded when the first map is shown. */
export function TripMapView({ label, trips, version, place, onMap }: MapProps) {
  return (
    <OnDemand<TripMap>
      role="region"
      label={label}
      className="map"
      version={`${version} ${units.value}`}
      load={async () => {
        const { drawTrips } = await import('./map.ts');
        return (element) => drawTrips(element, trips, { units: units.value, tiles: tiles(), place });
      }}
      onDrawn={onMap}
    />
  );
}
