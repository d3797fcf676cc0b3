import Type from 'typebox';
import { FLEET_ID } from '../schemas.ts';

export const KeyFleetId = Type.String({
  pattern: FLEET_ID,
  description: '1 to 64 of the characters A-Z, a-z, 0-9, _ and -: the fleet whose reports the key opens.',
});

export const KeyId = Type.String({ description: 'Names the key; it is not the key itself.' });
