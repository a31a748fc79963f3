import { errorSentences, nothingMoved } from './error-sentences.ts';

/**
 * Codes with the same meaning to a payer share a text: ISO 20022, Faster Payments, the standard.
 */
const sentenceByCode = new Map<string, string>(
  errorSentences.flatMap(([codes, sentence]) =>
    codes.split(' ').map((code): readonly [string, string] => [code, sentence]),
  ),
);

export const knownErrorCodes: readonly string[] = [...sentenceByCode.keys()];

/** Version 3 spells the standard's own codes out. */
const version3Codes: Readonly<Record<string, string>> = {
  'UK.OBIE.Field.Expected': 'U001',
  'UK.OBIE.Field.Invalid': 'U002',
  'UK.OBIE.Field.InvalidDate': 'U003',
  'UK.OBIE.Field.Missing': 'U004',
  'UK.OBIE.Field.Unexpected': 'U005',
  'UK.OBIE.Header.Invalid': 'U006',
  'UK.OBIE.Header.Missing': 'U007',
  'UK.OBIE.Resource.ConsentMismatch': 'U008',
  'UK.OBIE.Resource.InvalidConsentStatus': 'U009',
  'UK.OBIE.Resource.InvalidFormat': 'U010',
  'UK.OBIE.Resource.NotFound': 'U011',
  'UK.OBIE.Rules.AfterCutOffDateTime': 'U012',
  'UK.OBIE.Rules.DuplicateReference': 'U013',
  'UK.OBIE.Rules.FailsControlParameters': 'U014',
  'UK.OBIE.Signature.Invalid': 'U015',
  'UK.OBIE.Signature.InvalidClaim': 'U016',
  'UK.OBIE.Signature.MissingClaim': 'U017',
  'UK.OBIE.Signature.Malformed': 'U018',
  'UK.OBIE.Signature.Missing': 'U019',
  'UK.OBIE.Signature.Unexpected': 'U020',
  'UK.OBIE.Unsupported.AccountIdentifier': 'U021',
  'UK.OBIE.Unsupported.AccountSecondaryIdentifier': 'U022',
  'UK.OBIE.Unsupported.Currency': 'U023',
  'UK.OBIE.Unsupported.LocalInstrument': 'U026',
  'UK.OBIE.Unsupported.Scheme': 'U027',
  'UK.OBIE.Reauthenticate': 'U028',
  'UK.OBIE.Rules.ResourceAlreadyExists': 'U029',
  'UK.OBIE.UnexpectedError': 'U000',
};

const fallback = `The bank did not make this payment. ${nothingMoved}`;

/** The code of version 4, in which this connector thinks. */
export const ownCode = (code: string): string => version3Codes[code] ?? code;

/** Our text for a bank's code; the bank's own text never reaches a payer or a merchant. */
export const sentenceFor = (code: string): string => sentenceByCode.get(ownCode(code)) ?? fallback;
