import 'leaflet/dist/leaflet.css';
import { effect, type ReadonlySignal } from '@preact/signals';
import * as Leaflet from 'leaflet';
import { colourOf, observeColours } from '../../shared/colours.ts';
import type { Units } from '../../shared/preferences.ts';
import { isPrinting } from '../../shared/printing.ts';
import { MIN_SEVERE_MPH, type Place, type SpeedingSection } from './path.ts';

/** The tiles of a base map. */
export interface Tiles {
  address: string;
  attribution: string;
}

/** A trip event on the map. */
interface MapEvent {
  /** The marker's place; null if there is no marker, because the coordinates are out of range. */
  place: Place | null;
  /** One letter on the marker. */
  letter: string;
  title: string;
  /** The lines below the title of the marker's popup. */
  lines: string[];
}

/** The trip data that the map draws. */
export interface MapTrip {
  name: string;
  path: Place[];
  speeding: SpeedingSection[];
  events: MapEvent[];
  start: Place;
  end: Place;
}

export type TripMap = ReturnType<typeof drawTrips>;

interface MapSettings {
  units: Units;
  tiles: Tiles | null;
  /** The place of the vehicle, which appears as soon as there is a place. */
  place?: ReadonlySignal<Place | null> | undefined;
}

/** The line styles of the trips' paths. The second is dashed, because not everyone can distinguish the colours. */
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
  // The start and end markers have no popup, so the keyboard skips them.
  return Leaflet.marker(place, { icon, title, alt: title, keyboard: kind === 'event' });
}

/** Returns an element that contains the text. Text from the service is therefore never parsed as HTML. */
function textElement(name: 'b' | 'div' | 'span', text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

/** The content of a popup. */
function content(title: string, lines: readonly string[]): HTMLElement {
  const element = document.createElement('div');
  element.append(textElement('b', title), ...lines.map((line) => textElement('div', line)));
  return element;
}

function addTiles(map: Leaflet.Map, { address, attribution }: Tiles): void {
  // Leaflet parses an attribution as HTML.
  Leaflet.tileLayer(address, { attribution: textElement('span', attribution).innerHTML, maxZoom: 19 }).addTo(map);
}

/** Lines, each with the CSS variable for its colour. */
type Lines = [line: Leaflet.Polyline, colour: string][];

/** A trip's lines: its path and, on top, the sections with overspeeding. */
function linesOf({ path, speeding }: MapTrip, index: number): Lines {
  const { colour, dashArray } = STYLES[index] ?? STYLES[0];
  return [
    [Leaflet.polyline(path, { weight: 4, dashArray, interactive: false }), colour],
    ...speeding.map(({ places, over_mph }): Lines[number] => {
      const isSevere = over_mph >= MIN_SEVERE_MPH;
      const line = Leaflet.polyline(places, { weight: isSevere ? 8 : 6, interactive: false });
      return [line, isSevere ? '--speeding-much' : '--speeding'];
    }),
  ];
}

/** Adds a trip's markers to the map. Returns the markers of the trip events, in the order of the events. */
function addMarkers(map: Leaflet.Map, trip: MapTrip): (Leaflet.Marker | null)[] {
  const markers = trip.events.map(
    ({ place, letter, title, lines }) =>
      place && marker(place, 'event', letter, title).bindPopup(content(title, lines)).addTo(map),
  );
  marker(trip.start, 'start', 'A', `Start of ${trip.name}`).addTo(map);
  marker(trip.end, 'end', 'B', `End of ${trip.name}`).addTo(map);
  return markers;
}

/** Fits the map to the paper whenever the page is printed. Returns a function that turns this off. */
function fitToPaper(map: Leaflet.Map, element: HTMLElement): () => void {
  let before: { center: Leaflet.LatLng; zoom: number } | null = null;
  return effect(() => {
    const isOnPaper = isPrinting.value;
    if (isOnPaper === (before !== null)) return;
    const visible = map.getBounds();
    const { center, zoom } = before ?? { center: map.getCenter(), zoom: map.getZoom() };
    before = isOnPaper ? { center, zoom } : null;
    element.classList.toggle('on-paper', isOnPaper);
    map.invalidateSize({ animate: false });
    if (isOnPaper) map.fitBounds(visible, { animate: false });
    else map.setView(center, zoom, { animate: false });
  });
}

/** Draws trips on a map with tiles, or on a plain background. */
export function drawTrips(element: HTMLElement, trips: readonly MapTrip[], { units, tiles, place }: MapSettings) {
  const reducesMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = Leaflet.map(element, {
    // All lines share one canvas, because drawing twenty thousand points as SVG elements would take a second.
    preferCanvas: true,
    zoomAnimation: !reducesMotion,
    fadeAnimation: !reducesMotion,
    markerZoomAnimation: !reducesMotion,
    inertia: !reducesMotion,
    maxZoom: 19,
    // Tiles are sharp only at integer zoom levels. Without tiles, finer zoom levels let a path fill the map.
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
  const [markers = []] = trips.map((trip) => addMarkers(map, trip));
  Leaflet.control.scale({ metric: units === 'kilometres', imperial: units === 'miles' }).addTo(map);
  new NorthArrow({ position: 'topright' }).addTo(map);
  const vehicle = Leaflet.marker([0, 0], {
    icon: Leaflet.divIcon({ className: 'vehicle', iconSize: [18, 18] }),
    title: 'Vehicle of the trip',
    alt: 'Vehicle of the trip',
    keyboard: false,
    interactive: false,
    zIndexOffset: 1_000,
  });
  const stopMoving = effect(() => void (place?.value && vehicle.setLatLng(place.value).addTo(map)));
  const sizes = new ResizeObserver(() => map.invalidateSize({ animate: false }));
  sizes.observe(element);
  const stopPrinting = fitToPaper(map, element);
  const stopColours = observeColours(() => {
    colour();
    // A canvas draws new colours in the next frame, which is too late for printing. Setting the view draws it
    // immediately.
    map.setView(map.getCenter(), map.getZoom(), { animate: false });
  });
  return {
    /** Opens the popup of one of the first trip's events, given the event's index. */
    openEvent: (event: number) => markers[event]?.openPopup(),
    destroy: () => {
      stopMoving();
      sizes.disconnect();
      stopPrinting();
      stopColours();
      map.remove();
    },
  };
}
