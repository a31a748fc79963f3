import type { CheckoutAmountFields, CheckoutAmountProblem, CheckoutTips } from './amount-views.ts';
import type { CheckoutCard, CheckoutCardFields, CheckoutCardOffer } from './card-views.ts';
import type { CheckoutSummary } from './summary-view.ts';

/**
 * What the hosted page shows, as data. The service fills these from the payment; `web/checkout` turns
 * them into HTML. Amounts are pounds as two-decimal text; times are ISO 8601.
 */
export type CheckoutFrame = PageFrame & {
  readonly paymentRequestId: string;
  /**
   * The version that `/pay/events` sends: the script reloads the page when another one arrives.
   * Without it a change between rendering and the first event is noticed late.
   */
  readonly version?: string | number;
};

/** Who runs the installation, as pages name them. */
export type PageOperator = {
  /** Their trading name. */
  readonly operatorName: string;
  /** What a regulated operator must state about itself, and its pages. */
  readonly operatorStatus?: string | null;
  readonly termsUrl?: string | null;
  readonly privacyUrl?: string | null;
};

/** What every page shows around its content: merchant, operator, language and environment. */
export type PageFrame = PageOperator & {
  readonly locale: string;
  readonly environment: 'SANDBOX' | 'PRODUCTION';
  readonly merchantName: string;
  readonly storeName: string | null;
  readonly storeAddress: string | null;
  readonly avatarUrl: string | null;
  /** `#rrggbb`; contrast is corrected by the page. */
  readonly accentColour: string | null;
  /** Where the merchant helps its payers. Absent: nowhere. */
  readonly support?: SupportContact;
  /** Sandbox only: what to try at the simulated bank, shown inside the test banner. */
  readonly scenarios?: readonly SandboxScenario[];
  /** The `input` of the chosen one; the first by default. */
  readonly scenario?: string | null;
};

export type SupportContact = {
  readonly email: string | null;
  /** Digits, with a leading plus and blanks or hyphens between. */
  readonly phone: string | null;
  readonly url: string | null;
};

export type SandboxScenario = { readonly input: string; readonly outcome: string };

export type CheckoutBank = {
  readonly id: string;
  readonly name: string;
  readonly fullName: string;
  readonly kind: 'personal' | 'business' | 'both';
  readonly colour: string;
  /** The installation's own picture of it, from our server. */
  readonly iconUrl?: string;
  readonly isPopular: boolean;
  /** False: shown, but cannot be chosen; `unavailableReason` gives the reason. */
  readonly isAvailable: boolean;
  readonly unavailableReason: 'DOWN' | 'AMOUNT_TOO_HIGH' | null;
  /** Pounds with two decimals, where the amount is above it. */
  readonly limit?: string;
  /** Its answers take long at present; it can be chosen. */
  readonly isSlow?: boolean;
  /** It has an app and no web pages: the scheme of its addresses, which its page may lead to. */
  readonly appScheme?: string;
  /** Another bank has the same name: what tells it from that one, which stands below its name. */
  readonly apartBy?: 'fullName' | 'kind' | 'id';
  /** Other names that people search for. */
  readonly aliases?: readonly string[];
};

/** Where the payer returns to, if the merchant gave an address. */
export type ReturnToMerchant = { readonly url: string } | null;

export type CheckoutAttempt = {
  /** Empty when the attempt is by card. */
  readonly bankName: string;
  readonly method?: 'BANK' | 'CARD';
  /** Set for a card, once the card is known. */
  readonly card?: CheckoutCard | null;
  /** Lets a failed payment be tried again with the same bank by one link. */
  readonly institutionId?: string;
  readonly startedAt: string;
  readonly paymentIdempotencyId: string;
};

/** Whether a receipt can be sent by mail, and the state of a request for one. */
export type CheckoutReceiptMail = {
  /** No mail server is configured: it is stored, and the merchant's developer can read it. */
  readonly isCaught?: boolean;
  readonly state: 'OPEN' | 'WRONG_ADDRESS' | 'ASKED' | 'TOO_OFTEN';
  readonly formToken: string;
  /** What was typed, to be corrected. */
  readonly email: string;
};

/** The link of a bill, and the same as a QR code, inline SVG. */
export type CheckoutBillLink = { readonly shortUrl: string; readonly qrSvg: string };

/** Every page of a payment. */
export type CheckoutCommon = {
  readonly frame: CheckoutFrame;
  readonly summary: CheckoutSummary;
  readonly returnTo: ReturnToMerchant;
  /** What the payer chose on an earlier step, repeated by every address and form of the page. */
  readonly carried?: Readonly<Record<string, string>>;
  /** Shown inside an app of the merchant (PAGE-12); `showsSteps`: how paying works comes first. */
  readonly embed?: { readonly showsSteps: boolean };
};

export type CheckoutView = CheckoutCommon &
  (
    | {
        /** Share of a split bill, tip, or both: a form that requests `/pay` with the choices. */
        readonly page: 'CHOOSE_AMOUNT';
        readonly tips: CheckoutTips | null;
        /** What was typed or chosen, so that nothing is lost. No tip is preselected. */
        readonly chosen: CheckoutAmountFields;
        readonly problem: CheckoutAmountProblem | null;
        /** This payer's own attempt that was not finished; going on replaces it. */
        readonly unfinished: CheckoutAttempt | null;
        readonly lastFailure: string | null;
        readonly lastFailureCode?: string | null;
        readonly shortUrl: string;
        readonly qrSvg: string;
      }
    | {
        /** Paid, and by nobody known to this browser: nothing of the payer is shown. */
        readonly page: 'BILL_PAID';
        readonly paidAt: string | null;
      }
    | {
        /** `way=card` in the address, or card is the only method. */
        readonly page: 'CHOOSE_CARD';
        readonly card: CheckoutCardOffer;
        /** The payer has chosen the card already, or has no other choice: no second press is needed. */
        readonly postsItself?: boolean;
        /** The payer may choose a bank in its place. */
        readonly offersBank: boolean;
        readonly unfinished: CheckoutAttempt | null;
        readonly lastFailure: string | null;
        /** The processor's decline code behind `lastFailure`. */
        readonly lastFailureCode?: string | null;
      }
    | {
        /**
         * The payer left for the processor's page, or the card's bank needs an answer. Buttons post
         * to `/pay/start` with way=card and resume=<paymentIdempotencyId>, or to `/pay/other-way`
         * with paymentIdempotencyId: that ends the session first and then shows the choice.
         */
        readonly page: 'AT_CARD_PAGE';
        readonly step: 'CARD_PAGE' | 'STEP_UP';
        /** `way=card`, where the card is typed here; alone in a frame of a dialog (CARD-19). */
        readonly fields?: CheckoutCardFields | null;
        /** `way=card`, where the card's bank asks here: a frame of our page may show these origins. */
        readonly challenge?: readonly string[] | null;
        /** It is typed or asked here, and this browser has not come for it: one press leads there. */
        readonly continuesHere?: boolean;
        readonly isFramed?: boolean;
        /** What is offered by card; null: nothing any more, but this may be finished. */
        readonly card?: CheckoutCardOffer | null;
        /** The payer may choose a bank in its place, which closes the card page. */
        readonly offersBank?: boolean;
        readonly attempt: CheckoutAttempt;
        readonly formToken: string;
        /** Why the last card tried there was declined. */
        readonly lastFailure: string | null;
        readonly lastFailureCode?: string | null;
      }
    | {
        readonly page: 'CHOOSE_BANK';
        readonly banks: readonly CheckoutBank[];
        readonly search: string;
        /** An earlier attempt that was not finished at the bank; choosing again replaces it. */
        readonly unfinished: CheckoutAttempt | null;
        /** Why the last attempt ended; no money moved. */
        readonly lastFailure: string | null;
        /** The bank's code behind `lastFailure`: known codes are shown in the payer's language. */
        readonly lastFailureCode?: string | null;
        /** The attempt behind `lastFailure`. */
        readonly failed?: CheckoutAttempt | null;
        /** Card is also offered. */
        readonly card?: CheckoutCardOffer | null;
        /** The bank that this payer used last: offered first. */
        readonly lastUsedBankId?: string | null;
        /** The bank that was asked for, or was used last, and cannot be chosen now. */
        readonly unavailableBank?: CheckoutBank | null;
        /** A link to this page as a QR code, inline SVG, to continue on the phone. */
        readonly qrSvg: string;
      }
    | {
        readonly page: 'REVIEW';
        readonly bank: CheckoutBank;
        readonly formToken: string;
        /** The page sends itself to the bank, as a payer with a script expects of `autoRedirect`. */
        readonly postsItself?: boolean;
        /** Whether this device remembers the payer's bank: only when the payer ticks it. */
        readonly isBankRemembered?: boolean;
        /** The payer may pay by card instead, also where the shop has named a bank. */
        readonly offersCard?: boolean;
        /** This page, with its bank and amount, as a QR code: on a phone it ends in the bank's app. */
        readonly qrSvg: string;
      }
    | {
        /** An attempt waits at its bank; the payer has not asked for another way yet. */
        readonly page: 'STARTED';
        readonly attempt: CheckoutAttempt;
        /** Another browser started it: the payer's phone, which read the code of this page. */
        readonly isElsewhere: boolean;
        /** Its bank may be continued with. */
        readonly canContinue: boolean;
        readonly offersCard: boolean;
      }
    | {
        /** Money may be moving: the payer waits, nothing can be started. */
        readonly page: 'WAITING';
        readonly attempt: CheckoutAttempt;
        readonly isSlow: boolean;
        /** Until it counts as slow: a script says so then. */
        readonly slowInSeconds?: number;
        readonly refreshInSeconds: number;
      }
    | {
        readonly page: 'RESULT';
        readonly outcome: 'PAID' | 'FAILED';
        readonly attempt: CheckoutAttempt;
        /** FAILED: the reason. */
        readonly reason: string | null;
        /** The bank's code behind `reason`: known codes are shown in the payer's language. */
        readonly reasonCode?: string | null;
        readonly moneyMoved: 'NO' | 'YES' | 'RETURNED';
        readonly canRetry: boolean;
        /** Methods of another attempt; bank by default. */
        readonly retryWays?: {
          readonly bank: boolean;
          readonly card: boolean;
          /** Of the payer's device, where the processor takes them. */
          readonly wallets?: readonly string[];
        };
        /** PAID, for a split bill: there is more to pay, also by this payer. */
        readonly canPayMore?: boolean;
        readonly paidAt: string | null;
        /** PAID only; null or absent: a receipt by mail is not offered. */
        readonly receiptMail?: CheckoutReceiptMail | null;
        /** PAID, for a split bill with a rest: how the next payer opens it. */
        readonly shareBill?: CheckoutBillLink | null;
        /** Seconds after which the page returns to the merchant. */
        readonly returnInSeconds: number | null;
      }
    | {
        /** No method that this request allows is available: cards are switched off, for example. */
        readonly page: 'NO_WAY_TO_PAY';
        readonly takesOnlyCards: boolean;
        readonly lastFailure: string | null;
        readonly lastFailureCode?: string | null;
      }
    | {
        /** The operator has suspended the merchant. */
        readonly page: 'SUSPENDED';
        /** An attempt that began before may still be approved: the page says nothing of money. */
        readonly isUnfinished: boolean;
      }
    | { readonly page: 'EXPIRED' }
    | { readonly page: 'CANCELLED' }
  );

/** Pages that belong to no payment. */
export type CheckoutNotice =
  | { readonly page: 'NOT_FOUND' }
  /** `payUrl`: of the payment for which this browser went to a bank. */
  | { readonly page: 'BAD_RETURN'; readonly payUrl?: string | null }
  /** The same of a customer who links bank accounts. */
  | { readonly page: 'LINK_NOT_FOUND' }
  | { readonly page: 'LINK_BAD_RETURN' }
  /** A printed code that is unknown, disabled, or cannot be paid. */
  | { readonly page: 'CODE_NOT_FOUND' }
  /** The printed code is one of a merchant that the operator has suspended. */
  | {
      readonly page: 'MERCHANT_SUSPENDED';
      readonly merchantName: string;
      readonly support?: SupportContact;
    }
  | { readonly page: 'UNAVAILABLE'; readonly requestId: string }
  /** A bank that answers in the fragment: a script posts it; without one, no money moved. */
  | { readonly page: 'FRAGMENT_RETURN'; readonly payUrl?: string | null; readonly action?: string };
