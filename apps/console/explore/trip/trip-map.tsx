import { effect, type ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { OnDemand } from '../../shared/on-demand.tsx';
import { units } from '../../shared/preferences.ts';
import { tiles } from '../map-settings.ts';
import type { MapTrip, TripMap } from './map.ts';
import type { Place } from './path.ts';

interface MapProperties {
  label: string;
  trips: readonly MapTrip[];
  /** Changes with the trips. */
  version: string;
  /** Where the vehicles are, by the order of the trips; without it none is shown. */
  places?: ReadonlySignal<readonly (Place | null)[]>;
  /** Gets the map, or null when there is none any more. */
  onMap?: (map: TripMap | null) => void;
}

/** The map of trips; its library is loaded with the first one. */
export function TripMapView({ label, trips, version, places, onMap }: MapProperties) {
  const follow = useRef<(() => void) | null>(null);
  useEffect(() => () => follow.current?.(), []);
  return (
    <OnDemand<TripMap>
      role="region"
      label={label}
      className="map"
      version={`${version} ${units.value}`}
      load={async () => {
        const { drawTrips } = await import('./map.ts');
        return (element) => drawTrips(element, trips, { units: units.value, tiles: tiles() });
      }}
      onDrawn={(map) => {
        onMap?.(map);
        if (places) follow.current = effect(() => map.move(places.value));
      }}
      end={(map) => {
        follow.current?.();
        follow.current = null;
        onMap?.(null);
        map.remove();
      }}
    />
  );
}
