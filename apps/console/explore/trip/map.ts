import 'leaflet/dist/leaflet.css';
import { effect } from '@preact/signals';
import * as Leaflet from 'leaflet';
import { colourOf, followColours } from '../../shared/colours.ts';
import type { Units } from '../../shared/preferences.ts';
import { isPrinting } from '../../shared/printing.ts';
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
  // Start and end do nothing: they are no stop on the way through the page by keyboard.
  return Leaflet.marker(place, { icon, title, alt: title, keyboard: kind === 'event' });
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

/** Lines with the variables that name their colours. */
type Lines = [line: Leaflet.Polyline, colour: string][];

/** The lines of a trip: its path, and over it where it was driven too fast. */
function linesOf({ path, speeding }: MapTrip, index: number): Lines {
  const { colour, dashArray } = STYLES[index] ?? STYLES[0];
  return [
    [Leaflet.polyline(path, { weight: 4, dashArray, interactive: false }), colour],
    ...speeding.map(({ places, over_mph }): Lines[number] => {
      const isMuch = over_mph >= MUCH_OVER_MPH;
      const line = Leaflet.polyline(places, { weight: isMuch ? 8 : 6, interactive: false });
      return [line, isMuch ? '--speeding-much' : '--speeding'];
    }),
  ];
}

/** Puts the markers of a trip on the map. Returns those of its trip events. */
function addMarkers(map: Leaflet.Map, trip: MapTrip): Leaflet.Marker[] {
  const markers = trip.events.map(({ place, letter, title, lines }) =>
    marker(place, 'event', letter, title).bindPopup(content(title, lines)).addTo(map),
  );
  marker(trip.start, 'start', 'A', `Start of ${trip.name}`).addTo(map);
  marker(trip.end, 'end', 'B', `End of ${trip.name}`).addTo(map);
  return markers;
}

/** Gives the map the width of paper for as long as it is printed, and shows there what the reader sees. Returns its end. */
function followPrinting(map: Leaflet.Map, element: HTMLElement): () => void {
  let before: { center: Leaflet.LatLng; zoom: number } | null = null;
  return effect(() => {
    const isOnPaper = isPrinting.value;
    if (isOnPaper === (before !== null)) return;
    const seen = map.getBounds();
    const { center, zoom } = before ?? { center: map.getCenter(), zoom: map.getZoom() };
    before = isOnPaper ? { center, zoom } : null;
    element.classList.toggle('on-paper', isOnPaper);
    map.invalidateSize({ animate: false });
    if (isOnPaper) map.fitBounds(seen, { animate: false });
    else map.setView(center, zoom, { animate: false });
  });
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
    // Tiles are sharp at whole levels alone. Without them a path may fill the map.
    zoomSnap: tiles === null ? 0.1 : 1,
  });
  map.attributionControl.setPrefix(false);
  if (tiles) addTiles(map, tiles);
  element.classList.toggle('plain', tiles === null);
  const bounds = Leaflet.latLngBounds(trips.flatMap(({ path, start, end }) => [start, end, ...path]));
  map.fitBounds(bounds, { padding: [28, 28], maxZoom: 17, animate: false });
  const lines = trips.flatMap(linesOf);
  const colour = () => {
    for (const [line, variable] of lines) line.setStyle({ color: colourOf(element, variable) });
  };
  colour();
  for (const [line] of lines) line.addTo(map);
  const markers = trips.map((trip) => addMarkers(map, trip));
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
  const forgetPrinting = followPrinting(map, element);
  const forgetColours = followColours(() => {
    colour();
    // A canvas draws new colours with the next frame, and paper has none: a view that is set anew is drawn at once.
    map.setView(map.getCenter(), map.getZoom(), { animate: false });
  });
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
      forgetPrinting();
      forgetColours();
      map.remove();
    },
  };
}
