/**
 * Returns the changes in a release as Markdown.
 *
 * @param tag the release's tag, such as `v0.2.0`
 * @param version the version in the manifest
 * @param changelog the text of CHANGELOG.md
 * @throws if the tag does not match the version, or if the changelog has no changes for it
 */
export function releaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`) {
    throw new Error(`Tag ${tag} does not match the version in package.json: use v${version}, or change the version.`);
  }
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((each) => each.split('\n', 1)[0]?.trim() === version);
  const notes = section?.slice(section.indexOf('\n')).trim() ?? '';
  if (notes === '') throw new Error(`CHANGELOG.md has no changes under "## ${version}".`);
  return notes;
}
