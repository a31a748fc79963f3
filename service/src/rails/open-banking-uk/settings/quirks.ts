/** What single banks do, each with what the connector does about it. */
const knownQuirks = {
  // It acts on these.
  jwsB64HeaderFalse: 'signs messages over the raw body, with b64 in the header',
  noContractPresentIndicator: 'leaves the indicator out of Risk',
  nonceAlsoInQuery: 'repeats the nonce outside the request object',
  scopeInTokenRequest: 'names the scope when it exchanges a code',
  // Every reader takes these as they come.
  debtorMayBeMissing: 'reads the account from Refund, or has none',
  debtorSchemeMayBeWrong: 'reads an account by its shape, whatever its scheme',
  linksMayAddSlash: 'follows no link of a payment',
  refreshTokenMayBeAbsent: 'needs none for a payment',
  refundMayBeMissing: 'reads the account from Debtor, or has none',
  scopeMayIncludeExtra: 'asks for its own scope and ignores others',
  selfLinkMayOmitId: 'follows no link of a payment',
  tokenTypeCaseMayDiffer: 'reads the type of a token in any case',
  // For the one who registers.
  registrationByHand: 'registration is done on the portal of the bank',
  'registrationVersion3.2': 'dynamic registration in version 3.2',
} as const;

export type Quirk = keyof typeof knownQuirks;

export const isQuirk = (name: string): name is Quirk => Object.hasOwn(knownQuirks, name);
