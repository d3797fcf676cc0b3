import { computed } from '@preact/signals';
import { hash } from '../shared/hash.ts';
import { addressOf, type KnownRoute, splitLane } from './route.ts';

/** The lane in the page's address; null if the address contains none. */
export const lane = computed(() => splitLane(hash.value).lane);

/** A view's address, for links. By default, it contains the page's lane. */
export function hrefOf(route: KnownRoute, inLane = lane.value): string {
  return addressOf(route, inLane);
}
