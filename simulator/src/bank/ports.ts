import type {
  AccountConsent,
  AccountDecision,
  Movement,
  StandardVersion,
  UnattendedCall,
} from './accounts/model.ts';
import type { BankProfile } from './banks.ts';
import type { PlannedEntry, Schedule, StatusReason } from './payments/schedule.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = {
  readonly [name: string]: Json;
};

export type Payee = {
  readonly name: string;
  readonly sortCode: string;
  readonly accountNumber: string;
};

export type ConsentTerms = {
  readonly version: StandardVersion;
  readonly wireData: JsonObject;
  readonly wireRisk: JsonObject;
  readonly amountPence: bigint;
  readonly endToEndIdentification: string;
  readonly creditor: Payee;
  readonly reference: string;
  readonly wantsRefundAccount: boolean;
};

export type ConsentStatus = 'AWAU' | 'AUTH' | 'RJCT' | 'COND';

export type Consent = ConsentTerms & {
  readonly bankId: string;
  readonly id: string;
  readonly clientId: string;
  readonly status: ConsentStatus;
  readonly statusReason: StatusReason | undefined;
  readonly createdAt: number;
  readonly statusUpdatedAt: number;
  readonly login: string | undefined;
  readonly interactionId: string | undefined;
  readonly debtor: Account | undefined;
  readonly clockOffsetMs: number;
};

export type Account = {
  readonly bankId: string;
  readonly id: string;
  readonly login: string;
  readonly position: number;
  readonly label: string;
  readonly holderName: string;
  readonly sortCode: string;
  readonly accountNumber: string;
  readonly openingPence: bigint;
  readonly mayOverdraw: boolean;
  // Its generated history ends here.
  readonly openedAt: number;
};

export type Payment = {
  readonly bankId: string;
  readonly id: string;
  readonly consentId: string;
  readonly acceptedAt: number;
  readonly schedule: Schedule;
};

export type KeyClaim = {
  readonly bankId: string;
  readonly clientId: string;
  readonly operation: 'consent' | 'payment';
  readonly key: string;
  readonly bodyHash: string;
  readonly at: number;
};

type KeyHolder = {
  readonly bodyHash: string;
  readonly resourceId: string;
};

export type Decision = {
  readonly bankId: string;
  readonly consentId: string;
  readonly at: number;
  readonly outcome:
    | { readonly status: 'AUTH'; readonly accountId: string }
    | { readonly status: 'RJCT'; readonly reason: StatusReason };
};

export type AccountInformationStore = {
  createAccountConsent(consent: AccountConsent): Promise<void>;
  findAccountConsent(bankId: string, id: string): Promise<AccountConsent | undefined>;
  recordAccountLogin(
    consent: AccountConsent,
    login: string,
    interactionId: string,
  ): Promise<boolean>;
  // False when the consent no longer waits for a decision.
  decideAccounts(decision: AccountDecision): Promise<boolean>;
  listAuthorised(bankId: string, login: string): Promise<readonly AccountConsent[]>;
  revokeAccountConsent(bankId: string, id: string, at: number): Promise<boolean>;
  deleteAccountConsent(bankId: string, id: string): Promise<boolean>;
  accountsById(bankId: string, ids: readonly string[]): Promise<readonly Account[]>;
  movementsOf(account: Account, now: number): Promise<readonly Movement[]>;
  // How many calls of this day on this subject there were, this one included.
  countUnattended(call: UnattendedCall): Promise<number>;
};

export type Subscription = {
  readonly bankId: string;
  readonly id: string;
  readonly clientId: string;
  readonly version: string;
  readonly callbackUrl: string | undefined;
  // Undefined: all that the bank sends.
  readonly eventTypes: readonly string[] | undefined;
};

export type SubscriptionStore = {
  // False when the client has one at this bank.
  createSubscription(subscription: Subscription): Promise<boolean>;
  findSubscription(bankId: string, clientId: string): Promise<Subscription | undefined>;
  // These two answer false when there is none with this id.
  replaceSubscription(subscription: Subscription): Promise<boolean>;
  deleteSubscription(bankId: string, clientId: string, id: string): Promise<boolean>;
};

export type BankStore = AccountInformationStore &
  SubscriptionStore & {
    // False when the key was claimed before: nothing is written then.
    createConsent(consent: Consent, claim: KeyClaim): Promise<boolean>;
    holderOfKey(claim: KeyClaim): Promise<KeyHolder | undefined>;
    findConsent(bankId: string, id: string): Promise<Consent | undefined>;
    recordLogin(consent: Consent, login: string, interactionId: string): Promise<boolean>;
    // False when the consent no longer waits for a decision.
    decide(decision: Decision): Promise<boolean>;
    openAccounts(accounts: readonly Account[]): Promise<void>;
    accountsOf(bankId: string, login: string): Promise<readonly Account[]>;
    balanceOf(account: Account, now: number): Promise<bigint>;
    // The time of the first submission, and whether this is it.
    noteSubmission(consent: Consent, at: number): Promise<{ firstAt: number; isFirst: boolean }>;
    // Consumes the consent, books the payment and claims the key, or does nothing.
    submitPayment(
      payment: Payment,
      entries: readonly PlannedEntry[],
      consent: Consent,
      claim: KeyClaim,
    ): Promise<boolean>;
    findPayment(bankId: string, id: string): Promise<Payment | undefined>;
  };

export type Clock = {
  now(): number;
};

export type Random = {
  id(): string;
};

export type BankTools = {
  readonly store: BankStore;
  readonly clock: Clock;
  readonly random: Random;
};

export type Caller = {
  readonly bank: BankProfile;
  readonly clientId: string;
};
