import 'leaflet/dist/leaflet.css';
import * as Leaflet from 'leaflet';
import { colourOf } from '../../shared/colours.ts';
import type { Units } from '../../shared/preferences.ts';
import type { Tiles } from '../map-settings.ts';
import { MUCH_OVER_MPH, type Place, type SpeedingSection } from './path.ts';

/** A trip event on the map. */
interface MapEvent {
  place: Place;
  /** One letter on the marker. */
  letter: string;
  title: string;
  /** What the marker tells when it is opened, a line each. */
  lines: string[];
}

/** A trip as the map draws it. */
export interface MapTrip {
  name: string;
  path: Place[];
  speeding: SpeedingSection[];
  events: MapEvent[];
  start: Place;
  end: Place;
}

export interface TripMap {
  /** Shows where the vehicles are, by the order of the trips; null: not shown. */
  move: (places: readonly (Place | null)[]) => void;
  /** Opens the marker of a trip event, by trip and place in its list. */
  openEvent: (trip: number, event: number) => void;
  remove: () => void;
}

interface MapSettings {
  units: Units;
  tiles: Tiles | null;
}

/** The lines of the paths, by the order of the trips: the second is dashed, as colours alone are not seen by everybody. */
const STYLES = [
  { colour: '--accent', dashArray: '' },
  { colour: '--second', dashArray: '8 6' },
] as const;

const NORTH =
  '<svg viewBox="0 0 24 36" aria-hidden="true"><path d="M12 2 20 26 12 21 4 26z"/><text x="12" y="35">N</text></svg>';

const NorthArrow = Leaflet.Control.extend({
  onAdd: () => {
    const element = Leaflet.DomUtil.create('div', 'north');
    element.innerHTML = NORTH;
    element.title = 'North is up';
    return element;
  },
});

function marker(place: Place, kind: string, letter: string, title: string): Leaflet.Marker {
  const icon = Leaflet.divIcon({ className: `mark ${kind}`, html: letter, iconSize: [24, 24] });
  return Leaflet.marker(place, { icon, title, alt: title });
}

/** As elements, so that what the service says is never taken for HTML. */
function content(title: string, lines: readonly string[]): HTMLElement {
  const element = document.createElement('div');
  const heading = document.createElement('b');
  heading.textContent = title;
  element.append(heading);
  for (const line of lines) {
    const paragraph = document.createElement('div');
    paragraph.textContent = line;
    element.append(paragraph);
  }
  return element;
}

function addTiles(map: Leaflet.Map, { address, attribution }: Tiles): void {
  const plain = document.createElement('span');
  plain.textContent = attribution;
  // Leaflet takes an attribution as HTML.
  Leaflet.tileLayer(address, { attribution: plain.innerHTML, maxZoom: 19 }).addTo(map);
}

/** Draws a trip and returns the markers of its trip events. */
function drawTrip(map: Leaflet.Map, element: HTMLElement, trip: MapTrip, index: number): Leaflet.Marker[] {
  const { colour, dashArray } = STYLES[index] ?? STYLES[0];
  const line = { color: colourOf(element, colour), weight: 4, dashArray, interactive: false };
  Leaflet.polyline(trip.path, line).addTo(map);
  for (const { places, over_mph } of trip.speeding) {
    const isMuch = over_mph >= MUCH_OVER_MPH;
    const color = colourOf(element, isMuch ? '--speeding-much' : '--speeding');
    Leaflet.polyline(places, { color, weight: isMuch ? 8 : 6, interactive: false }).addTo(map);
  }
  const markers = trip.events.map(({ place, letter, title, lines }) =>
    marker(place, 'event', letter, title).bindPopup(content(title, lines)).addTo(map),
  );
  marker(trip.start, 'start', 'A', `Start of ${trip.name}`).addTo(map);
  marker(trip.end, 'end', 'B', `End of ${trip.name}`).addTo(map);
  return markers;
}

/** Draws trips on a map: on tiles, or on plain ground with scale and north arrow. */
export function drawTrips(element: HTMLElement, trips: readonly MapTrip[], { units, tiles }: MapSettings): TripMap {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = Leaflet.map(element, {
    // One canvas for all lines: as elements, twenty thousand points would take a second.
    preferCanvas: true,
    zoomAnimation: !isCalm,
    fadeAnimation: !isCalm,
    markerZoomAnimation: !isCalm,
    inertia: !isCalm,
    maxZoom: 19,
  });
  map.attributionControl.setPrefix(false);
  if (tiles) addTiles(map, tiles);
  element.classList.toggle('plain', tiles === null);
  const bounds = Leaflet.latLngBounds(trips.flatMap(({ path, start, end }) => [start, end, ...path]));
  map.fitBounds(bounds, { padding: [28, 28], maxZoom: 17, animate: false });
  const markers = trips.map((trip, index) => drawTrip(map, element, trip, index));
  Leaflet.control.scale({ metric: units === 'kilometres', imperial: units === 'miles' }).addTo(map);
  new NorthArrow({ position: 'topright' }).addTo(map);
  const vehicles = trips.map(({ start, name }, index) =>
    Leaflet.marker(start, {
      icon: Leaflet.divIcon({ className: `vehicle ${index === 0 ? 'first' : 'second'}`, iconSize: [18, 18] }),
      title: `Vehicle of ${name}`,
      alt: `Vehicle of ${name}`,
      keyboard: false,
      interactive: false,
      zIndexOffset: 1_000,
    }),
  );
  const sizes = new ResizeObserver(() => map.invalidateSize({ animate: false }));
  sizes.observe(element);
  return {
    move: (places) => {
      for (const [index, vehicle] of vehicles.entries()) {
        const place = places[index] ?? null;
        if (place === null) vehicle.remove();
        else vehicle.setLatLng(place).addTo(map);
      }
    },
    openEvent: (trip, event) => markers[trip]?.[event]?.openPopup(),
    remove: () => {
      sizes.disconnect();
      map.remove();
    },
  };
}
