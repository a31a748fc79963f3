import type { Pence } from '#kernel/pence.ts';
import type { OutsideText } from '#platform/card-numbers/mask-card-numbers.ts';

/**
 * The port to a payer's bank. Each step answers what is certain; a step that may have happened is
 * UNKNOWN and is polled later. A rail stores nothing: `state` is its opaque memory, which the
 * module encrypts, stores and passes back.
 */
export type BankRail = {
  /** A bank that does not answer at present is not enabled either. */
  readonly institutions: () => readonly Institution[];
  /** How the calls of this process to each bank went lately. */
  readonly health: () => readonly BankHealth[];
  readonly createConsent: (order: BankPaymentOrder) => Promise<ConsentOutcome>;
  /** Verifies what the browser brought back. Uses the network for the bank's keys only. */
  readonly readReturn: (state: string, parameters: ReturnParameters) => Promise<ReturnOutcome>;
  readonly exchange: (state: string, code: string) => Promise<ExchangeOutcome>;
  /** Sends exactly the body and idempotency key that `exchange` put in the state. */
  readonly submit: (state: string) => Promise<SubmitOutcome>;
  /** After an unknown submission: reads the consent, and sends the equal body again if that is safe. */
  readonly resolveSubmission: (state: string) => Promise<SubmitOutcome>;
  readonly readPayment: (state: string) => Promise<PaymentOutcome>;
  /** By bank: the client that we are there, for payments and accounts. Left out: there is one of each. */
  readonly clientIds?: () => Readonly<Record<string, string>>;
  /** Left out: no bank of this rail says by itself that something has changed. */
  readonly events?: BankEvents;
};

export type Institution = {
  readonly id: string;
  readonly name: string;
  readonly fullName: string;
  readonly kind: 'personal' | 'business' | 'both';
  readonly colour: string;
  readonly limitPence: Pence;
  readonly isEnabled: boolean;
  /** Its answers take long at present. */
  readonly isSlow?: boolean;
  /** A bank without web pages: the scheme of the addresses that its app opens, such as `bank:`. */
  readonly appScheme?: string;
  readonly isPopular: boolean;
  readonly countryCode: string;
};

/** Of the last two minutes. */
export type BankHealth = {
  readonly institutionId: string;
  readonly name: string;
  /** As its settings say: a bank that is down stays enabled. */
  readonly isEnabled: boolean;
  readonly state: 'WORKING' | 'SLOW' | 'UNAVAILABLE';
  readonly calls: number;
  readonly failedCalls: number;
  /** Of the calls that were answered; null: none was. */
  readonly averageMs: number | null;
  readonly lastFailureAt: Date | null;
  /** UNAVAILABLE: when the next payer may try it. */
  readonly retryAt: Date | null;
};

export type BankAccount = {
  readonly sortCode: string;
  readonly accountNumber: string;
  readonly name: string;
};

/** As the bank names it. */
export type PayerAccount = Omit<BankAccount, 'name'> & { readonly name: OutsideText | '' };

export type BankPaymentOrder = {
  readonly institutionId: string;
  /** At most 31 characters: the EndToEndIdentification, which the payee's statement shows. */
  readonly endToEndId: string;
  /** Unique for ever, at most 35 characters. */
  readonly instructionId: string;
  readonly amountPence: Pence;
  readonly creditor: BankAccount;
  /** What the payer sees on the statement, in at most 18 characters. */
  readonly reference: string;
  readonly contextCode: string;
  readonly merchantCategoryCode: string;
  readonly merchantCustomerReference: string;
  /** The `state` of the authorisation request: stored with the bank's answer, before the payer leaves. */
  readonly oauthState: string;
  readonly payerAddress?: string;
  readonly payerUserAgent?: string;
  /** The name that the payer will log in with, if known: a bank may fill it in. */
  readonly loginHint?: string;
  /** By which the bank, too, finds the call that made the payment; left out: one of its own. */
  readonly requestId?: string;
};

/** `query` of the return address, or its fragment when the page posted it to us. */
export type ReturnParameters = Readonly<Record<string, string>>;

export type Refusal = {
  readonly kind: 'REFUSED';
  readonly code: string;
  /** A sentence for the payer and the merchant; never the bank's raw text. */
  readonly description: string;
};

export type Unknown = { readonly kind: 'UNKNOWN'; readonly description: string };

export type ConsentOutcome =
  | {
      readonly kind: 'CREATED';
      readonly state: string;
      /** The bank's id of the consent. */
      readonly reference: string;
      readonly authorisationUrl: string;
      /** Our correlation id at the bank, for support; it is the wire's tracingId. */
      readonly interactionId: string;
    }
  | Refusal
  | Unknown;

export type ReturnOutcome =
  | { readonly kind: 'AUTHORISED'; readonly code: string; readonly state: string }
  | {
      readonly kind: 'DECLINED';
      readonly byPayer: boolean;
      readonly code: string;
      readonly description: string;
    }
  /** Not from the bank, or not for this consent: nothing may change because of it. */
  | { readonly kind: 'INVALID'; readonly description: string }
  /** The bank's keys cannot be fetched now: nothing changed, the same return may be tried again. */
  | Unknown;

export type ExchangeOutcome =
  | {
      readonly kind: 'EXCHANGED';
      readonly state: string;
      /** When the bank said that the account holds enough; absent: it was not asked, or said nothing. */
      readonly fundsConfirmedAt?: Date;
    }
  | Refusal
  | Unknown;

export type BankStatus = {
  /** ISO 20022 code: RCVD, PDNG, ACSP, ACSC, RJCT … */
  readonly isoCode: string;
  readonly isoName: string;
  readonly changedAt: Date | null;
  readonly errorCode?: string;
  readonly errorDescription?: string;
  /** The account for a refund, if the bank discloses it. */
  readonly payer?: PayerAccount;
};

export type SubmitOutcome =
  | {
      readonly kind: 'ACCEPTED';
      readonly state: string;
      readonly status: BankStatus;
      /** By which the bank's notifications name the payment; absent: it sends none. */
      readonly paymentReference?: string;
    }
  | Refusal
  | Unknown;

export type PaymentOutcome =
  | { readonly kind: 'STATUS'; readonly state: string; readonly status: BankStatus }
  | Unknown;

/**
 * What banks tell us by themselves (BANK-22). A notification is a hint to read now, over our own
 * connection: nothing that it says of a payment or a consent is believed.
 */
export type BankEvents = {
  /** The banks that send notifications. */
  readonly institutionIds: () => readonly string[];
  readonly readNotification: (institutionId: string, token: string) => Promise<NotificationOutcome>;
  /**
   * Makes the bank send its notifications to an address under `baseUrl`, if it does not already. It
   * may be repeated at any time.
   */
  readonly subscribe: (institutionId: string, baseUrl: string) => Promise<SubscriptionOutcome>;
};

export type SubscriptionOutcome =
  | { readonly kind: 'UNCHANGED' | 'CREATED' | 'CHANGED' }
  | Refusal
  | Unknown;

/** Under the address of the service: where a bank sends its notifications. */
export const bankEventsPath = '/api/rails/bank-events';

export type NotificationOutcome =
  | {
      readonly kind: 'PAYMENT' | 'ACCOUNT_CONSENT';
      /** The bank's id of it: `paymentReference` of a submission, or `reference` of a consent. */
      readonly reference: string;
    }
  /** Signed by the bank for us, about something that is never read. */
  | { readonly kind: 'UNUSED' }
  /** Not from this bank, not for us, or not of now. */
  | { readonly kind: 'INVALID'; readonly description: string }
  /** The bank's keys cannot be fetched now: it may send the same again. */
  | Unknown;
