import { pence } from '#kernel/pence.ts';
import type { BankProfile, IdTokenChecks } from './bank-profile.ts';
import rows from './production-banks.json' with { type: 'json' };

/**
 * The brands of the UK, as known in November 2026 and never all verified: an operator checks a row
 * against the bank's portal before enabling it. Colours are hints; logos belong to the banks.
 */
export const productionBanks = (): readonly BankProfile[] =>
  (rows as readonly Row[]).map(
    ({ idTokenLacks = [], idTokenSubject = 'consent', limitPounds = limitOfScheme, ...row }) => ({
      ...row,
      fullName: row.name,
      limitPence: pence(limitPounds * 100),
      isEnabled: false,
      isPopular: row.isPopular ?? false,
      countryCode: 'GB',
      wellKnown:
        row.wellKnown ?? `${row.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      authorisation: 'jar',
      assertionAudience: 'tokenEndpoint',
      idTokenChecks: {
        nonce: !idTokenLacks.includes('nonce'),
        acr: !idTokenLacks.includes('acr'),
        intentId: !idTokenLacks.includes('intentId'),
        stateHash: !idTokenLacks.includes('stateHash'),
        subject: idTokenSubject,
      },
      answerSignature: 'ifPresent',
      tokenScope: 'payments',
      readRefundAccount: row.readRefundAccount ?? true,
      fundsConfirmation: false,
      quirks: row.quirks ?? [],
    }),
  );

// Faster Payments carries no more than this; a bank's own limit is lower and often not published.
const limitOfScheme = 1_000_000;

type Row = Pick<
  BankProfile,
  | 'id'
  | 'name'
  | 'kind'
  | 'colour'
  | 'issuer'
  | 'paymentsUrl'
  | 'version'
  | 'tokenAuth'
  | 'responseMode'
> &
  Partial<
    Pick<
      BankProfile,
      | 'wellKnown'
      | 'isPopular'
      | 'financialId'
      | 'requestObjectAudience'
      | 'contextCode'
      | 'appAddress'
      | 'readRefundAccount'
      | 'quirks'
    >
  > & {
    readonly limitPounds?: number;
    readonly idTokenLacks?: readonly Exclude<keyof IdTokenChecks, 'subject'>[];
    readonly idTokenSubject?: IdTokenChecks['subject'];
  };
