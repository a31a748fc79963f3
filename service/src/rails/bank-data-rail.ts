import type {
  Institution,
  Refusal,
  ReturnOutcome,
  ReturnParameters,
  Unknown,
} from './bank-rail.ts';

/**
 * The port to a bank that shows a customer's accounts. Each step answers what is certain. A rail
 * stores nothing: `state` is its opaque memory with the tokens in it, which the module encrypts,
 * stores and passes back. A step that changes it answers the new state, which replaces the old.
 *
 * The reads take a `Visitor`. With an address the call is attended: the customer waits for it. Null
 * says unattended, of which a bank allows about four a day and account. All other steps are calls
 * of our own and neither: createConsent, refreshTokens, readConsent and revoke are not counted.
 *
 * Read the accounts first, once, right after `exchange`: banks demand it. The whole history is
 * shown only shortly after the customer logged in there; later, a bank may limit it to 90 days.
 */
export type BankDataRail = {
  /** Banks that show accounts; a disabled one is listed and refuses new consents. */
  readonly institutions: () => readonly Institution[];
  /** Sent again after UNKNOWN it makes another consent; one that no customer approves ends. */
  readonly createConsent: (order: AccountConsentOrder) => Promise<AccountConsentOutcome>;
  /** Verifies what the browser brought back. Uses the network for the bank's keys only. */
  readonly readReturn: (state: string, parameters: ReturnParameters) => Promise<ReturnOutcome>;
  /** Called once for a code: afterwards the consent is linked or must be made again. */
  readonly exchange: (state: string, code: string) => Promise<TokensOutcome>;
  /**
   * One caller at a time, under a lease: a bank may end the old tokens as it issues new ones. After
   * UNKNOWN it may be called again with the same state.
   */
  readonly refreshTokens: (state: string) => Promise<TokensOutcome>;
  readonly readAccounts: (state: string, visitor: Visitor) => Promise<AccountsOutcome>;
  /** Of the bank's balances the one that says what may be spent, else what is booked. */
  readonly readBalance: (
    state: string,
    accountId: string,
    visitor: Visitor,
  ) => Promise<BalanceOutcome>;
  /** One page. Pages may overlap, and the order within and among them is the bank's own. */
  readonly readTransactions: (
    state: string,
    page: TransactionPage,
    visitor: Visitor,
  ) => Promise<TransactionsOutcome>;
  readonly readConsent: (state: string) => Promise<AccountConsentStatusOutcome>;
  /** Ends the consent at the bank. One that has ended already is REVOKED too. */
  readonly revoke: (state: string) => Promise<RevokeOutcome>;
};

/** Where the bank returns the customer's browser: registered at every bank for account consents. */
export const bankLinkReturnPath = '/bank-link-return';

/** What the customer is asked to share, as the page of consent names it. */
export type SharedData = 'ACCOUNTS' | 'BALANCES' | 'TRANSACTIONS';

export type AccountConsentOrder = {
  readonly institutionId: string;
  /** ACCOUNTS is always among them. */
  readonly sharedData: readonly SharedData[];
  /** Null: until it is revoked. */
  readonly expiresAt: Date | null;
  /** No transaction before it is ever shown; null: as far back as the bank allows. */
  readonly transactionsFrom: Date | null;
  /** The `state` of the authorisation request: stored before this call. */
  readonly oauthState: string;
  readonly visitor: Visitor;
  /** Of the call that made the link, for the bank's log and ours (WIRE-23). */
  readonly requestId?: string;
  /** The name that the customer will log in with, if known: a bank may fill it in. */
  readonly loginHint?: string;
};

/** The customer who waits for the answer; null: a job reads, unattended. */
export type Visitor = { readonly address: string; readonly userAgent?: string } | null;

/** The bank shows nothing any more under this consent; a new one must be made. */
export type ConsentEnded = {
  readonly kind: 'CONSENT_ENDED';
  /**
   * REAUTHENTICATION_NEEDED: the bank wants the customer to log in again. For transactions older
   * than 90 days it can mean just those; a read of the last 90 days tells.
   */
  readonly reason: 'REVOKED' | 'EXPIRED' | 'REAUTHENTICATION_NEEDED';
};

export type RateLimited = {
  readonly kind: 'RATE_LIMITED';
  /** When the bank may be called again for this; the rail's own estimate if the bank names none. */
  readonly retryAfter: Date;
};

/** The access token has ended: `refreshTokens`, store its state, then read again. */
export type TokenEnded = { readonly kind: 'TOKEN_ENDED' };

/** REFUSED: this read will never work, as for an account that the bank does not know. */
export type NotRead = Refusal | ConsentEnded | RateLimited | TokenEnded | Unknown;

export type AccountConsentOutcome =
  | {
      readonly kind: 'CREATED';
      readonly state: string;
      /** The bank's id of the consent. */
      readonly reference: string;
      readonly authorisationUrl: string;
      /** Our correlation id at the bank, for support. */
      readonly interactionId: string;
    }
  | Refusal
  | RateLimited
  | Unknown;

export type TokensOutcome =
  | {
      readonly kind: 'OK';
      readonly state: string;
      /** Refresh before it: a read after it answers TOKEN_ENDED. */
      readonly accessEndsAt: Date;
      /** After it the customer must log in again; null: the bank does not say. */
      readonly refreshEndsAt: Date | null;
    }
  | Refusal
  | ConsentEnded
  | RateLimited
  | Unknown;

export type AccountsOutcome =
  | { readonly kind: 'OK'; readonly accounts: readonly BankDataAccount[] }
  | NotRead;

export type BankDataAccount = {
  /** The bank's id, at most 40 characters; unique at this bank and under this consent only. */
  readonly accountId: string;
  /** Both null for an account without them, such as a card. */
  readonly sortCode: string | null;
  readonly accountNumber: string | null;
  /** The holder's name, else the name that the holder gave the account. */
  readonly name: string | null;
  readonly currency: string;
  readonly holder: 'PERSONAL' | 'BUSINESS' | null;
  /** ISO 20022: CACC current, SVGS savings, CARD …; null if unknown. */
  readonly accountType: string | null;
  /** False: the bank lists it as closed; it is no longer read. */
  readonly isOpen: boolean;
};

export type BalanceOutcome =
  /** Null: the bank shows no balance of this account. */
  { readonly kind: 'OK'; readonly balance: BankDataBalance | null } | NotRead;

/** As a decimal with at least two places: "10.00", "-0.50", "1.23456". Never a float. */
export type DecimalText = string;

export type SignedAmount = {
  /** Negative: overdrawn. */
  readonly amount: DecimalText;
  readonly currency: string;
};

export type BankDataBalance = SignedAmount & {
  /** ISO 20022: ITAV interim available, ITBD interim booked, CLBD …; null if the bank's own. */
  readonly balanceType: string | null;
  readonly at: Date | null;
};

export type TransactionPage = {
  readonly accountId: string;
  /** By booking time, both inclusive, and loosely: banks disagree on time zones. */
  readonly from: Date;
  readonly to: Date;
  /** Null: the first page. Else `nextCursor` of the page before, of the same account and range. */
  readonly cursor: string | null;
};

export type TransactionGap = 'UNREADABLE_ENTRIES' | 'NEXT_PAGE_UNUSABLE';

export type TransactionsOutcome =
  | {
      readonly kind: 'OK';
      readonly transactions: readonly BankDataTransaction[];
      /** Null: no page follows, or none that can be followed. */
      readonly nextCursor: string | null;
      /**
       * Not null: this read is not whole, so what it lacks may still be at the bank. Entries without
       * a meaning were left out; or the next page lies at another host, leads back to a page that
       * was read, or is one too many.
       */
      readonly gap: TransactionGap | null;
    }
  | NotRead;

export type BankDataTransaction = {
  /** The bank's own id, at most 210 characters; some banks give none. */
  readonly bankTransactionId: string | null;
  /**
   * Equal for two entries with the same account, booking time, type, amount, description and
   * reference. Without an id, this and the position among equal ones name the transaction.
   */
  readonly fingerprint: string;
  readonly bookedAt: Date;
  readonly valueAt: Date | null;
  /** CREDIT: money received. */
  readonly type: 'CREDIT' | 'DEBIT';
  /** Unsigned. */
  readonly amount: DecimalText;
  readonly currency: string;
  /** PENDING may change, or leave the list. */
  readonly status: 'BOOKED' | 'PENDING';
  /** True: the bank says that it may still change, although it is booked. */
  readonly isMutable: boolean;
  readonly description: string | null;
  readonly reference: string | null;
  readonly merchantName: string | null;
  /** The bank's own words, as "ReceivedCreditTransfer" or "RCDT". */
  readonly category: string | null;
  /** Who sent a credit, who received a debit; null if the bank does not say. */
  readonly payer: BankDataParty | null;
  readonly payee: BankDataParty | null;
  /** After the transaction. */
  readonly balance: SignedAmount | null;
};

export type BankDataParty = {
  readonly name: string | null;
  readonly sortCode: string | null;
  readonly accountNumber: string | null;
};

export type AccountConsentStatusOutcome =
  | {
      readonly kind: 'OK';
      readonly status: 'AWAITING' | 'AUTHORISED' | 'REJECTED' | 'REVOKED' | 'EXPIRED';
      readonly changedAt: Date | null;
    }
  /** The bank does not know the consent. */
  | Refusal
  | RateLimited
  | Unknown;

export type RevokeOutcome = { readonly kind: 'REVOKED' } | Refusal | RateLimited | Unknown;
