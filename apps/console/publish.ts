import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Replaces a bundle in such a way that a browser always loads either the old or the new one. First adds the new assets,
 * whose names change with their content, then replaces the page, and finally removes the old assets.
 */
export function publish(built: string, target: string): void {
  mkdirSync(join(target, 'assets'), { recursive: true });
  const assets = readdirSync(join(built, 'assets'));
  for (const asset of assets) renameSync(join(built, 'assets', asset), join(target, 'assets', asset));
  renameSync(join(built, 'index.html'), join(target, 'index.html'));
  for (const asset of readdirSync(join(target, 'assets'))) {
    if (!assets.includes(asset)) rmSync(join(target, 'assets', asset), { force: true });
  }
}
