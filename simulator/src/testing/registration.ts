export type Registration = {
  readonly clientId: string;
  readonly signingKeyId: string;
  readonly organisationId: string;
  readonly softwareStatementId: string;
  readonly trustAnchor: string;
  readonly controlToken: string;
  readonly controlUrl: string;
  readonly banks: readonly RegisteredBank[];
};

export type RegisteredBank = {
  readonly id: string;
  readonly issuer: string;
  readonly wellKnown: string;
  readonly tokenAuth: string;
  readonly clientSecret?: string;
  readonly responseMode: 'jwt' | 'fragment' | 'query';
  readonly authorisation: 'par' | 'jar';
  readonly idTokenLacks: readonly string[];
  readonly quirks: readonly string[];
  readonly paymentsUrl: string;
  readonly accountsUrl: string;
  readonly eventsUrl?: string;
  readonly accountsVersion: '3.1' | '4.0';
  readonly limitPence: number;
  readonly bankSigning: { readonly jwksUri: string; readonly organisationId: string };
};
