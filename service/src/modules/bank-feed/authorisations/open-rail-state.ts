import type { SecretContext, Secrets } from '#platform/secrets/open-secrets.ts';
import type { Authorisation } from './authorisation.ts';

type Sealed = Pick<Authorisation, 'authorisationId' | 'railStateEncrypted'>;

/** The rail's memory of an authorisation: it holds tokens, so it is stored encrypted. */
export const openRailState = (secrets: Secrets, authorisation: Sealed): string | null =>
  authorisation.railStateEncrypted &&
  secrets.decryptText(
    authorisation.railStateEncrypted,
    railStateContext(authorisation.authorisationId),
  );

export const sealRailState = (secrets: Secrets, authorisationId: string, state: string): Buffer =>
  secrets.encrypt(state, railStateContext(authorisationId));

export const railStateContext = (authorisationId: string): SecretContext => ({
  table: 'bank_authorisation',
  row: authorisationId,
  column: 'rail_state_encrypted',
});
