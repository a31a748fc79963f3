import type { Tenant } from '#kernel/environment.ts';
import { addPence, noPence, type Pence } from '#kernel/pence.ts';
import type {
  Authentication,
  CancelReason,
  CaptureMethod,
  CardFacts,
  CardInitiator,
  ExpirySource,
} from '#rails/card-rail.ts';
import {
  type AttemptStatus,
  type AttemptStep,
  isCounted,
  isPaid,
  type RequestStatus,
} from './payment-lifecycles.ts';
import type { RequestFields } from './store/request-columns.ts';

export const captureTypes = ['AUTO_CAPTURE', 'MANUAL_CAPTURE', 'CAPTURE_BEFORE_EXPIRY'] as const;

export type AttemptCard = {
  /** The account at the processor that it is made with: no other knows it (CARD-20). */
  readonly accountKey: string;
  /** The saved card that is charged or was saved: the wire's paymentMethodId. */
  readonly cardId: string | null;
  readonly captureType: CaptureType;
  readonly initiator: CardInitiator;
  readonly facts: AttemptCardFacts | null;
  readonly authentication: Authentication | null;
  /** Of the last card tried on a page that is still open. */
  readonly lastDecline: { readonly code: string; readonly description: string } | null;
  readonly authorisationExpiresBusinessAt: Date | null;
  readonly expirySource: ExpirySource | null;
  /** When it is captured unless the merchant does so before. */
  readonly captureBusinessAt: Date | null;
  readonly cancelledReasonCode: CancelReason | null;
  readonly cancelledReasonDescription: string | null;
  /** The Idempotency-Key of the last capture or cancellation. */
  readonly intentKey: string | null;
  readonly disputes: readonly CardDispute[];
  readonly refunds: readonly CardRefund[];
  /** Refunded by us, and reserved for refunds: both are changed by refunds only. */
  readonly refundedPence: Pence;
  readonly refundReservedPence: Pence;
};

export const captureMethodOf = (captureType: CaptureType): CaptureMethod =>
  captureType === 'AUTO_CAPTURE' ? 'AUTOMATIC' : 'MANUAL';

export const savedCardFacts = (card: AttemptCardFacts): AttemptCardFacts => ({
  brand: card.brand,
  funding: card.funding,
  category: card.category,
  country: card.country,
  lastFourDigits: card.lastFourDigits,
  expiryDate: card.expiryDate,
});

const maxMarginMs = 6 * 60 * 60 * 1000;
const marginShare = 20;

/** Before the end by six hours, or by a twentieth of the lifetime where that is less (CARD-10). */
export const captureTime = (authorisedAt: Date, expiresAt: Date): Date => {
  const lifetimeMs = Math.max(0, expiresAt.getTime() - authorisedAt.getTime());
  return new Date(expiresAt.getTime() - Math.min(maxMarginMs, lifetimeMs / marginShare));
};

export type CaptureType = (typeof captureTypes)[number];

/** What is stored of the used card; its customer is stored with the card itself. */
export type AttemptCardFacts = Pick<
  CardFacts,
  'brand' | 'funding' | 'category' | 'country' | 'lastFourDigits' | 'expiryDate'
>;

/** A customer's bank took the money back, or tried to. */
export type CardDispute = {
  readonly reference: string;
  readonly status: 'OPEN' | 'WON' | 'LOST';
  readonly amountPence: Pence;
  readonly reason: string;
  /** In the tenant's own time: until when evidence may be sent. */
  readonly respondBy: Date | null;
  /** How often evidence was sent, as the processor counts. */
  readonly submissions: number;
};

/** Money that went back to the card in the processor's own dashboard. */
export type CardRefund = {
  readonly refundId: string;
  /** The processor's id; null where an earlier version knew only a sum. */
  readonly reference: string | null;
  readonly amountPence: Pence;
  readonly refundedAt: Date;
  /** The money came back to the merchant after all. */
  readonly failedAt: Date | null;
  readonly errorDescription: string | null;
};

/** A payment request with its attempts: read at once, changed at once, guarded by one version. */
export type Payment = RequestFields & {
  readonly tenant: Tenant;
  readonly paymentRequestId: string;
  /** A CARD_CHARGE has one attempt, no page and no end of its own. */
  readonly kind: 'CHECKOUT' | 'CARD_CHARGE';
  readonly status: RequestStatus;
  readonly version: number;
  readonly amountPence: Pence;
  /** As the merchant's percentages made them when it was requested. */
  readonly parts: AmountParts;
  readonly taxPercentage: number;
  readonly servicePercentage: number;
  readonly paidPence: Pence;
  /** A tip that the till has set: the payer chooses none. */
  readonly fixedTipPence: Pence | null;
  readonly secretId: string;
  /** The merchant's switch. */
  readonly cardsEnabled: boolean;
  readonly expiresInMs: number;
  readonly timeExtensions: number;
  readonly expiresBusinessAt: Date;
  readonly liveAttemptCount: number;
  readonly eventSequence: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly merchant: {
    readonly name: string;
    readonly categoryCode: string;
    readonly completedAtSettlement: boolean;
    /** The merchant's switch: ids are signed on the way back in every state. */
    readonly signsEveryReturn: boolean;
    /** The merchant's switch: v1 hears of a later bank status of what is COMPLETED. */
    readonly repeatsCompleted: boolean;
    /** Nothing new starts (ACCESS-12). */
    readonly isSuspended: boolean;
    readonly avatarUrl: string | null;
    readonly accentColour: string | null;
    readonly logoUrl: string | null;
    /** Where it helps its payers. */
    readonly support: {
      readonly email: string | null;
      readonly phone: string | null;
      readonly url: string | null;
    };
  };
  /** The offered tips; null when the merchant or the request takes none. */
  readonly tips: TipChoices | null;
  readonly store: { readonly id: string; readonly locationName: string; readonly address: string };
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  /** Business time at which all this was read. */
  readonly now: Date;
  /** The same instant by the clock of this process, which never goes back. */
  readonly readAtMs: number;
  /** How far the tenant's time is ahead of real time, which a processor's times are in. */
  readonly clockOffsetMs: number;
};

export const noShare = '00000000-0000-0000-0000-000000000000';

/** The end of a lease taken now; a moved clock neither shortens nor extends it. */
export const leaseFor = (
  payment: Pick<Payment, 'now' | 'clockOffsetMs'>,
  durationMs: number,
): Date => new Date(realNowMs(payment) + durationMs);

export const isLeased = (payment: Payment, { leasedUntil }: Attempt): boolean =>
  leasedUntil !== null && leasedUntil.getTime() > realNowMs(payment);

const realNowMs = ({ now, clockOffsetMs }: Pick<Payment, 'now' | 'clockOffsetMs'>): number =>
  now.getTime() - Math.round(clockOffsetMs);

export const isPastExpiry = (payment: Payment): boolean =>
  payment.expiresBusinessAt.getTime() <= payment.now.getTime();

export const totalPence = (attempt: Pick<Attempt, 'amountPence' | 'tipPence'>): Pence =>
  addPence(attempt.amountPence, attempt.tipPence);

/** The tip of an attempt that starts now: the till's, else the payer's. */
export const tipToPay = (
  { fixedTipPence }: Pick<Payment, 'fixedTipPence'>,
  chosenPence: Pence = noPence,
): Pence => fixedTipPence ?? chosenPence;

/** What a payer is asked for before a payment: a tip that the till has set is part of it. */
export const requestedPence = (payment: Pick<Payment, 'amountPence' | 'fixedTipPence'>): Pence =>
  addPence(payment.amountPence, tipToPay(payment));

/** Its bank accepted it and then stopped it: only a person can find out where the money is. */
export const isHeldByBank = ({ endedReason }: Attempt): boolean => endedReason === 'BLOCKED';

/** While one is like that, no other attempt of the request (or share) may take money. */
export const hasOrMayGetMoney = (attempt: Attempt): boolean =>
  isCounted(attempt) || isHeldByBank(attempt);

export const findAttempt = (
  payment: Pick<Payment, 'attempts'> | null | undefined,
  attemptId: string,
): Attempt | undefined => payment?.attempts.find((attempt) => attempt.attemptId === attemptId);

/** A superseded start is none, as long as there is another (BANK-3). */
export const latestAttempt = ({ attempts }: Pick<Payment, 'attempts'>): Attempt | undefined =>
  attempts.findLast(({ endedReason }) => endedReason !== 'SUPERSEDED') ?? attempts.at(-1);

/** The latest; where its payer left it, an earlier one that may still be finished. */
export const currentAttempt = (payment: Pick<Payment, 'attempts'>): Attempt | undefined => {
  const latest = latestAttempt(payment);
  if (latest?.status !== 'CANCELLED') return latest;
  return payment.attempts.findLast(({ status }) => status === 'AWAITING_AUTHORIZATION') ?? latest;
};

/** The attempt that decides how a request that is not split stands. */
export const decidingAttempt = (payment: Pick<Payment, 'attempts'>): Attempt | undefined =>
  payment.attempts.find(isCounted) ?? currentAttempt(payment);

/** Only the processor's outcome ends what a payer may be paying on its page. */
export const isAtProcessor = ({
  method,
  status,
  step,
}: Pick<Attempt, 'method' | 'status' | 'step'>): boolean =>
  method === 'CARD' && status === 'AWAITING_AUTHORIZATION' && step !== 'OPENING_PAGE';

/** The payer may still act: on the processor's page, or at the bank of the card. */
export const waitsForPayer = (attempt: Pick<Attempt, 'method' | 'status' | 'step'>): boolean =>
  isAtProcessor(attempt) || (attempt.method === 'CARD' && attempt.step === 'STEP_UP');

/** What payers have paid towards the amount; tips are not part of it. */
export const completedPence = (payment: Pick<Payment, 'attempts'>): Pence =>
  payment.attempts
    .filter(isPaid)
    .reduce((sum, attempt) => addPence(sum, attempt.amountPence), noPence);

export type Creditor = {
  readonly sortCode: string;
  readonly accountNumber: string;
  readonly name: string;
};

export type SettlesTo = 'COLLECTING_ACCOUNT' | 'STORE_ACCOUNT' | 'PROCESSOR';

/** The parts of an amount. */
export type AmountParts = { readonly taxPence: Pence; readonly servicePence: Pence };

export type Attempt = {
  readonly attemptId: string;
  readonly position: number;
  readonly paymentIdempotencyId: string;
  readonly method: 'PAY_BY_BANK' | 'CARD';
  readonly status: AttemptStatus;
  readonly step: AttemptStep;
  readonly institutionId: string;
  readonly shareId: string;
  readonly amountPence: Pence;
  readonly tipPence: Pence;
  /** Fixed once it is completed; null before. */
  readonly parts: AmountParts | null;
  readonly creditor: Creditor;
  readonly settlesTo: SettlesTo;
  readonly railStateEncrypted: Buffer | null;
  readonly railReference: string | null;
  readonly tracingId: string | null;
  /** By which the bank's notifications name the payment; null: it sends none. */
  readonly bankPaymentReference: string | null;
  readonly oauthState: string | null;
  readonly isoStatusCode: string | null;
  readonly isoStatusName: string | null;
  readonly isoStatusAt: Date | null;
  readonly isSettled: boolean;
  readonly errorCode: string | null;
  readonly errorDescription: string | null;
  readonly endedReason: string | null;
  readonly payerEncrypted: Buffer | null;
  /** The payer's name alone, in clear, so that it can be searched. */
  readonly consumerName: string | null;
  readonly applicationUserId: string | null;
  readonly paymentDevice: object | null;
  readonly authoriseByBusiness: Date;
  /** Real time: until when the program that took its step on has it to itself. Every change ends it. */
  readonly leasedUntil: Date | null;
  readonly pollBusinessAt: Date | null;
  readonly pollCount: number;
  readonly submittedAt: Date | null;
  readonly operatorAlertedAt: Date | null;
  /** Only for a card payment. */
  readonly card: AttemptCard | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type TipChoices = {
  readonly tipId: string;
  readonly type: 'FIXED' | 'PERCENTAGE';
  /** Pence where FIXED, whole percent where PERCENTAGE. */
  readonly options: readonly number[];
  readonly allowsCustom: boolean;
};
