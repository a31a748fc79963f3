import type { KeyObject } from 'node:crypto';
import type { Provider } from 'oidc-provider';
import { accountStore } from '#simulator/store/accounts.ts';
import { accountConsentStore, consentStore } from '#simulator/store/consents.ts';
import type { Connection } from '#simulator/store/database.ts';
import { subscriptionStore } from '#simulator/store/notifications.ts';
import { paymentStore } from '#simulator/store/payments.ts';
import type { Clock } from '#simulator/system-clock.ts';
import type { BankProfile } from './banks.ts';
import type { OidcRecords } from './oidc/oidc-records.ts';

// One bank, opened for business.
export type Bank = {
  readonly profile: BankProfile;
  readonly provider: Provider;
  readonly tools: BankTools;
  readonly signer: Signer;
  readonly verifier: Verifier;
};

export type Signer = {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly issuer: string;
  readonly trustAnchor: string;
};

export type Verifier = {
  readonly keyOf: (kid: string) => KeyObject | undefined;
  readonly issuer: string;
  readonly trustAnchor: string;
};

export type BankTools = {
  readonly store: BankStore;
  readonly oidcRecords: OidcRecords;
  readonly clock: Clock;
  readonly random: { id(): string };
  readonly settlesByMs?: number | undefined;
};

export type BankStore = ReturnType<typeof bankStore>;

export const bankStore = (database: Connection) => ({
  ...consentStore(database),
  ...accountConsentStore(database),
  ...accountStore(database),
  ...paymentStore(database),
  ...subscriptionStore(database),
});
