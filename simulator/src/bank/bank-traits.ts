import type { StandardVersion } from './model.ts';

// How a bank speaks the standard's payments and authorisation: what real banks do differently.
export type WireTraits = {
  // The version its clients are registered for; it answers both.
  readonly version: StandardVersion;
  readonly tokenAuth: TokenAuth;
  readonly responseMode: 'jwt' | 'fragment' | 'query';
  readonly authorisation: 'par' | 'jar';
  // Whom a client assertion must address; undefined: the issuer or the endpoint.
  readonly assertionAudience: 'tokenEndpoint' | undefined;
  // What a request object is addressed to, if not to the issuer.
  readonly requestObjectAudience: string | undefined;
  // Scopes that a client's own token must have.
  readonly tokenScope: 'payments' | 'openid payments';
  // The value that every call must have in x-fapi-financial-id.
  readonly financialId: string | undefined;
  // The one context code that it takes; undefined: those of the standard.
  readonly contextCode: string | undefined;
  readonly idTokenSubject: 'consent' | 'customer' | 'client';
  readonly idTokenLacks: readonly IdTokenClaim[];
  readonly takesContractIndicator: boolean;
  // Signatures over the raw body with b64 in the header, as before version 3.1.4.
  readonly signsRawBody: boolean;
  readonly wantsScopeWithCode: boolean;
  readonly wantsNonceInQuery: boolean;
  // Under the bank's own address.
  readonly discoveryPath: string;
  // Its authorisation endpoint is an address that only its app opens.
  readonly appAddress: string | undefined;
  readonly referenceLengthMax: number;
  readonly showsDebtor: boolean;
  readonly givesRefundAccount: boolean;
  readonly confirmsFunds: boolean;
  // Whether its portal advises clients to have the funds confirmed before they send a payment.
  readonly advisesFundsConfirmation: boolean;
  readonly doublesSlashInLinks: boolean;
  // Whether clients may subscribe to event notifications.
  readonly sendsEvents: boolean;
  readonly tokenType: string | undefined;
  // Its tokens name scopes that were not asked for.
  readonly addsScopes: boolean;
  // What it calls the payer's account, rightly or not.
  readonly debtorScheme: string;
};

type TokenAuth = 'private_key_jwt' | 'tls_client_auth' | 'client_secret_basic';

export type IdTokenClaim = 'acr' | 'nonce' | 'intentId' | 'stateHash';

export const usualWire: WireTraits = {
  version: '4.0',
  tokenAuth: 'private_key_jwt',
  responseMode: 'jwt',
  authorisation: 'par',
  assertionAudience: undefined,
  requestObjectAudience: undefined,
  tokenScope: 'payments',
  financialId: undefined,
  contextCode: undefined,
  idTokenSubject: 'consent',
  idTokenLacks: [],
  takesContractIndicator: true,
  signsRawBody: false,
  wantsScopeWithCode: false,
  wantsNonceInQuery: false,
  discoveryPath: '/.well-known/openid-configuration',
  appAddress: undefined,
  referenceLengthMax: 35,
  showsDebtor: true,
  givesRefundAccount: true,
  confirmsFunds: true,
  advisesFundsConfirmation: false,
  doublesSlashInLinks: false,
  sendsEvents: false,
  tokenType: undefined,
  addsScopes: false,
  debtorScheme: 'UK.OBIE.SortCodeAccountNumber',
};

export const usesClientSecret = ({ tokenAuth }: WireTraits): boolean =>
  tokenAuth === 'client_secret_basic';

// How a bank shows accounts: what real banks do differently, one of each.
export type StatementTraits = {
  // The version its clients are registered for; it answers both.
  readonly version: StandardVersion;
  readonly pageSize: number;
  // The same on every day and in every run, with nothing that moves.
  readonly isStatic: boolean;
  readonly hasTransactionIds: boolean;
  // So many lines of a page are repeated on the next.
  readonly overlap: number;
  readonly links: 'plain' | 'doubled-slash' | 'other-host';
  readonly scheme: 'sort code' | 'IBAN';
  // Calls a day for each account without the customer; undefined: not counted.
  readonly unattendedCalls: number | undefined;
  readonly rotatesRefreshTokens: boolean;
  // Without a recent login, older lines need a new one.
  readonly daysWithoutLogin: number | undefined;
};

export const usualStatement: StatementTraits = {
  version: '4.0',
  pageSize: 100,
  isStatic: false,
  hasTransactionIds: true,
  overlap: 0,
  links: 'plain',
  scheme: 'sort code',
  unattendedCalls: undefined,
  rotatesRefreshTokens: false,
  daysWithoutLogin: undefined,
};
