import { integerText } from '../text.ts';

/** What a stored event supersedes and what supersedes it, as text such as `, supersedes 12`. */
export function chainText(event: { supersedes: number | null; superseded_by: number | null }): string {
  const earlier = event.supersedes === null ? '' : `, supersedes ${integerText(event.supersedes)}`;
  const later = event.superseded_by === null ? '' : `, superseded by ${integerText(event.superseded_by)}`;
  return earlier + later;
}
