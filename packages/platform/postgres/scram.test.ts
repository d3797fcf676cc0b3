import { expect, it } from 'vitest';
import { isVerifierOf, scramVerifier } from './scram.ts';

/** The verifier that PostgreSQL 18 stores for the password `pencil` with the salt of RFC 7677. */
const OF_PENCIL =
  'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=';

/** The verifier that PostgreSQL 18 stores for the password `pencil` when its setting `scram_iterations` is 10. */
const OF_TEN_ITERATIONS =
  'SCRAM-SHA-256$10:ohjqxdm0eLzfu6thrhKvvw==$X7MibMRBpQ+Eo3sx4mMeX/zHKVcMHr7A7lnzT5c4nh0=:2diLwpYUh4681LiDFHu6o9CZuj9cai6GWV7oMUebltU=';

it('verifiers of a password are recognized', () => {
  expect(isVerifierOf(OF_PENCIL, 'pencil')).toBe(true);
  expect(isVerifierOf(OF_TEN_ITERATIONS, 'pencil')).toBe(true);
  expect(isVerifierOf(OF_PENCIL, 'Pencil')).toBe(false);
  expect(isVerifierOf('md5c2c8a4d1a4e4a7d0d8f3e3f1b1a3b3c3', 'pencil')).toBe(false);
});

it('verifiers have a salt of their own', () => {
  const [one, other] = [scramVerifier('secret'), scramVerifier('secret')];
  expect(one).not.toBe(other);
  for (const verifier of [one, other]) expect(isVerifierOf(verifier, 'secret')).toBe(true);
});
