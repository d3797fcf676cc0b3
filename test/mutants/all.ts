import { API } from './api.ts';
import { CLIENT } from './client.ts';
import { CODECS } from './codecs.ts';
import { CONSOLE } from './console.ts';
import { DEAD_LETTERS } from './dead-letters.ts';
import { DOMAIN } from './domain.ts';
import { EVENT_LOG } from './event-log.ts';
import { INGEST } from './ingest.ts';
import { LANES } from './lanes.ts';
import { OPERATORS } from './operators.ts';
import { PROJECTIONS } from './projections.ts';
import { PROTOCOLS } from './protocols.ts';
import { REPLAYS } from './replays.ts';
import { SERVERS } from './servers.ts';
import { SINGLE_MACHINE } from './single-machine.ts';
import { STORAGE } from './storage.ts';
import type { Mutants } from './support/mutant.ts';

export const MUTANTS: Mutants = {
  domain: DOMAIN,
  codecs: CODECS,
  'event-log': EVENT_LOG,
  ingest: INGEST,
  lanes: LANES,
  protocols: PROTOCOLS,
  servers: SERVERS,
  client: CLIENT,
  console: CONSOLE,
  storage: STORAGE,
  projections: PROJECTIONS,
  api: API,
  replays: REPLAYS,
  'dead-letters': DEAD_LETTERS,
  operators: OPERATORS,
  'single-machine': SINGLE_MACHINE,
};
