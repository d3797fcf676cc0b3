import type { Mention } from '../refusal.ts';

/** Why a projection stands still, and what ends it; null when it does not. */
export function failureSentence(
  { failed_position, failure }: { failed_position: number | null; failure: string | null },
  mention: Mention,
): string | null {
  // No stored event is at fault where the read table belongs to another version.
  if (failure === null || failed_position !== null) return failure;
  const replay = mention.operation('replay.start', { projection: 'all', promote: true });
  return `${failure.replace(/\.$/, '')}: ${replay} builds its read table anew, and until then it stands still.`;
}
