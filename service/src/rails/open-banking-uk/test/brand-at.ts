import type { BankProfile } from '../settings/bank-profile.ts';

type Registered = {
  readonly issuer: string;
  readonly wellKnown: string;
  readonly paymentsUrl: string;
  readonly bankSigning: NonNullable<BankProfile['bankSigning']>;
  readonly clientSecret?: string;
};

/** The brand's own row, with the simulated bank's addresses and what the firm was registered with. */
export const brandAt = (brand: BankProfile, registered: Registered): BankProfile => {
  const { issuer, wellKnown, paymentsUrl, bankSigning, clientSecret } = registered;
  return {
    ...brand,
    ...{ issuer, wellKnown, paymentsUrl, bankSigning },
    ...(clientSecret !== undefined && { clientSecret }),
    isEnabled: true,
  };
};

/** What a simulated bank must do to be like this brand, in the words of the simulator. */
export const traitsOf = (brand: BankProfile) => {
  const has = (quirk: BankProfile['quirks'][number]): boolean => brand.quirks.includes(quirk);
  const { nonce, acr, intentId, stateHash, subject } = brand.idTokenChecks;
  const claims = { nonce, acr, intentId, stateHash };
  return {
    version: brand.version,
    tokenAuth: brand.tokenAuth,
    assertionAudience: brand.assertionAudience === 'tokenEndpoint' ? 'tokenEndpoint' : undefined,
    responseMode: brand.responseMode,
    authorisation: brand.authorisation,
    requestObjectAudience: brand.requestObjectAudience,
    tokenScope: brand.tokenScope,
    financialId: brand.financialId,
    contextCode: brand.contextCode,
    idTokenSubject: subject,
    idTokenLacks: Object.entries(claims).flatMap(([name, isSent]) => (isSent ? [] : [name])),
    takesContractIndicator: !has('noContractPresentIndicator'),
    signsRawBody: has('jwsB64HeaderFalse'),
    wantsScopeWithCode: has('scopeInTokenRequest'),
    wantsNonceInQuery: has('nonceAlsoInQuery'),
    discoveryPath: discoveryPathOf(brand),
    appAddress: brand.appAddress,
    referenceLengthMax: brand.referenceLengthMax ?? 35,
    showsDebtor: !has('debtorMayBeMissing'),
    givesRefundAccount: brand.readRefundAccount && !has('refundMayBeMissing'),
    confirmsFunds: brand.fundsConfirmation,
    doublesSlashInLinks: has('linksMayAddSlash'),
    tokenType: has('tokenTypeCaseMayDiffer') ? 'BEARER' : undefined,
    addsScopes: has('scopeMayIncludeExtra'),
    debtorScheme: has('debtorSchemeMayBeWrong') ? 'UK.OBIE.IBAN' : undefined,
  };
};

const discoveryPathOf = ({ issuer, wellKnown }: BankProfile): string =>
  wellKnown.startsWith(issuer)
    ? `/${wellKnown.slice(issuer.length).replace(/^\//, '')}`
    : new URL(wellKnown).pathname;
