import type { ReturnParameters } from '#rails/bank-rail.ts';
import type { Codec } from '../messages/codec.ts';
import type { DetachedForm } from '../messages/detached-jws.ts';
import type { BankProfile } from '../settings/bank-profile.ts';
import type { OpenBankingClient, OpenBankingTools } from '../settings/settings.ts';
import type { ClientKeys, ClientToken } from './client.ts';
import type { Discovered } from './discover.ts';
import type { Remembered } from './remember.ts';
import type { Transport } from './transport.ts';
import type { HealthWatch } from './watch-health.ts';

/**
 * One bank and what is cached of it; nothing is fetched before it is needed. The ways in which banks
 * differ are functions, chosen once from the profile by `open-bank.ts`: no step asks which bank it is.
 */
export type Bank = {
  readonly profile: BankProfile;
  readonly client: OpenBankingClient;
  readonly clientKeys: ClientKeys;
  readonly tools: OpenBankingTools;
  readonly transport: Transport;
  readonly codec: Codec;
  readonly signatureForm: DetachedForm;
  readonly requestAuthorisation: RequestAuthorisation;
  readonly readAnswer: ReadAnswer;
  readonly discovered: Remembered<Discovered>;
  readonly clientToken: ClientToken;
  readonly accountToken: ClientToken;
  readonly health: { readonly payments: HealthWatch; readonly accounts: HealthWatch };
};

/** Answers the address at which the customer approves. */
export type RequestAuthorisation = (bank: Bank, request: AuthorisationRequest) => Promise<string>;

export type AuthorisationRequest = {
  readonly consentId: string;
  readonly authorisation: Authorisation;
  readonly scope: 'payments' | 'accounts';
  readonly redirectUri: string;
  readonly loginHint?: string | undefined;
};

/** What one visit to the bank is known by; a visit without a code verifier has no PKCE. */
export type Authorisation = {
  readonly oauthState: string;
  readonly nonce: string;
  readonly codeVerifier?: string;
};

/** Of what the browser brought back, only what is this bank's answer to this visit. */
export type ReadAnswer = (
  bank: Bank,
  visit: Visit,
  parameters: ReturnParameters,
) => Promise<VisitAnswer>;

export type Visit = {
  readonly interactionId: string;
  readonly consentId: string;
  readonly authorisation: Authorisation;
};

export type VisitAnswer =
  | { readonly kind: 'CODE'; readonly code: string }
  | { readonly kind: 'ERROR'; readonly error: string; readonly text: unknown }
  | { readonly kind: 'INVALID'; readonly why: string }
  /** The bank's keys cannot be read now: nothing is known of the answer. */
  | { readonly kind: 'UNAVAILABLE' };
