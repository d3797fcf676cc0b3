import type { ReplayList, ReplayResource } from '@milepost/operations/replays';
import type { Static } from 'typebox';
import type { Json } from '../operate/client.ts';

/** A replay as the operation shows it. */
export type ReplayView = Json<Static<typeof ReplayResource>>;

/** A replay as lists have it: its verification may be in short. */
export type ListedReplay = Json<Static<typeof ReplayList>>['replays'][number];
