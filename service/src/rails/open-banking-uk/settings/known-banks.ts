import { pence } from '#kernel/pence.ts';
import {
  type BankProfile,
  discoveryAddress,
  type IdTokenChecks,
  idTokenChecksOf,
  usualBank,
} from './bank-profile.ts';
import rows from './known-banks.json' with { type: 'json' };

/**
 * The brands of the UK, as known in November 2026 and never all verified: an operator checks a row
 * against the bank's portal before enabling it. Colours are hints; logos belong to the banks.
 */
export const knownBanks = (): readonly BankProfile[] =>
  (rows as readonly Row[]).map(
    ({ idTokenLacks, idTokenSubject, limitPounds = limitOfScheme, ...row }) => ({
      ...usualBank,
      wellKnown: discoveryAddress(row.issuer),
      authorisation: 'jar',
      assertionAudience: 'tokenEndpoint',
      answerSignature: 'ifPresent',
      idTokenChecks: idTokenChecksOf(idTokenLacks, idTokenSubject),
      ...row,
      fullName: row.name,
      limitPence: pence(limitPounds * 100),
      isEnabled: false,
    }),
  );

// Faster Payments carries no more than this; a bank's own limit is lower and often not published.
const limitOfScheme = 1_000_000;

type Row = Omit<BankProfile, Given> & {
  readonly limitPounds?: number;
  readonly idTokenLacks?: readonly Exclude<keyof IdTokenChecks, 'subject'>[];
  readonly idTokenSubject?: IdTokenChecks['subject'];
};

/** What is the same for all rows, or said otherwise by them. */
type Given =
  | keyof typeof usualBank
  | ('wellKnown' | 'authorisation' | 'assertionAudience' | 'answerSignature' | 'idTokenChecks')
  | ('fullName' | 'limitPence' | 'isEnabled');
