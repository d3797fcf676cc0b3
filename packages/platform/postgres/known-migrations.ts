import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from './parts.ts';

/** The file of one of this release's migrations. */
interface MigrationFile {
  path: string;
  number: number;
  name: string;
  /** A file that ends in `.breaking.sql`. A release that does not recognize it must not run on the migrated schema. */
  breaking: boolean;
}

const FILE_NAME = /^(\d{4})_([a-z0-9_]+?)(\.breaking)?\.sql$/;

/** Lists this release's migrations for lanes or for the directory, in order. */
export function listMigrations(kind: Part['kind']): MigrationFile[] {
  const folder = join(import.meta.dirname, 'migrations', kind);
  const files: MigrationFile[] = [];
  for (const file of readdirSync(folder).sort()) {
    const [, number, name, breaking] = FILE_NAME.exec(file) ?? [];
    if (number === undefined || name === undefined) continue;
    files.push({ path: join(folder, file), number: Number(number), name, breaking: breaking !== undefined });
  }
  return files;
}

/** The sentence about a breaking migration that this release does not recognize. */
export function newerSchema(schema: string, { number, name }: Pick<MigrationFile, 'number' | 'name'>): string {
  return `Schema ${schema} has migration ${number} (${name}), which this release of Milepost does not recognize: run a newer release.`;
}
