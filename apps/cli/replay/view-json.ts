import type { ListedReplay } from './view.ts';

/** A replay for programs: the fields that scripts rely on first. */
export function viewJson(view: ListedReplay): object {
  const { id, projection, phase, position, target, trips_per_second, remaining_seconds, throttle, ...others } = view;
  const { verification, error, ...further } = others;
  return {
    id,
    projection,
    phase,
    position,
    target,
    trips_per_second,
    remaining_seconds,
    throttle,
    verification,
    error,
    ...further,
  };
}
