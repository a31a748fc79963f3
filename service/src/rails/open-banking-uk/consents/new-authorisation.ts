import type { Authorisation, Bank } from '../bank/bank.ts';

/** PKCE belongs to pushed requests; by value, the nonce and the id token bind the code to the visit. */
export const newAuthorisation = ({ profile, tools }: Bank, oauthState: string): Authorisation => ({
  oauthState,
  nonce: tools.ids.bytes(24).toString('base64url'),
  ...(profile.authorisation === 'par' && {
    codeVerifier: tools.ids.bytes(48).toString('base64url'),
  }),
});
