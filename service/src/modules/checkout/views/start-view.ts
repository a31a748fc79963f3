import type {
  CheckoutAmountFields,
  CheckoutAmountProblem,
  CheckoutCardOffer,
  CheckoutTips,
  CheckoutView,
} from '@florin/contract';
import { type Pence, pence, poundsText } from '#kernel/pence.ts';
import {
  type Attempt,
  currentAttempt,
  type Payment,
  paymentAddresses,
  restPence,
  withoutOwnShare,
} from '#modules/payments/index.ts';
import { offersBank } from '../bank/start-bank-payment.ts';
import { carriedOf, chosenBefore, nothingChosen } from '../input/amount-query.ts';
import { findAmount, hasAmountStep, tipChoicePence } from '../input/choose-amount.ts';
import { pagePath } from '../input/fields.ts';
import type { PageQuery, ViewSources } from './checkout-view.ts';
import { type Amounts, attemptView, bankViews, commonView, wholeAmount } from './common-view.ts';

type Carried = Readonly<Record<string, string>>;

/** The steps of a payer who may start: amount if there is a choice, then bank or card. */
export const startView = (sources: ViewSources, own: Attempt | undefined): CheckoutView => {
  const { payment, query } = sources;
  const ways = waysOf(sources);
  if (!ways.bank && !ways.card) return noWayView(sources, own);
  if (!hasAmountStep(payment)) return wayView(sources, own, wholeAmount(payment), {});
  const before = own && payment.splitsBill ? chosenBefore(payment, own) : nothingChosen;
  const fields = query.amount?.fields ?? before;
  if (!query.amount) return amountView(sources, own, fields, null);
  const mine = withoutOwnShare(payment, query.payerId);
  const found = findAmount(mine, fields, query.amount.total);
  if (found.kind === 'PROBLEM') return amountView(sources, own, fields, found);
  if (query.requiresAmount) return amountView(sources, own, fields, null);
  return wayView(sources, own, found, carriedOf(payment, fields, found));
};

/** The methods that the request allows and the merchant has. */
export const waysOf = ({ payment, institutions, card }: ViewSources) => ({
  bank: offersBank(payment) && institutions.length > 0,
  card: card !== null,
});

const noWayView = (sources: ViewSources, own: Attempt | undefined): CheckoutView => {
  const { lastFailure, lastFailureCode } = beforeView(sources, own);
  return {
    ...commonView(sources),
    page: 'NO_WAY_TO_PAY',
    takesOnlyCards: !offersBank(sources.payment),
    lastFailure,
    lastFailureCode,
  };
};

const amountView = (
  sources: ViewSources,
  own: Attempt | undefined,
  chosen: CheckoutAmountFields,
  problem: CheckoutAmountProblem | null,
): CheckoutView => {
  const { payment, query } = sources;
  const mine = withoutOwnShare(payment, query.payerId);
  const shown = payment.splitsBill
    ? { ...wholeAmount(payment), amountPence: restPence(mine) }
    : wholeAmount(payment);
  return {
    ...commonView(sources, shown),
    ...(query.selectedBankId === null ? {} : { carried: { selectedBank: query.selectedBankId } }),
    page: 'CHOOSE_AMOUNT',
    tips: tipsView(payment, shown.amountPence),
    chosen,
    problem: problem && { field: problem.field, code: problem.code, amount: problem.amount },
    ...beforeView(sources, own),
    ...linkView(sources),
  };
};

/** Of a bill that is split, the tips are of all that is left: the choice that is preselected. */
const tipsView = ({ tips }: Payment, sharePence: Pence): CheckoutTips | null =>
  tips && {
    allowsCustom: tips.allowsCustom,
    options: tips.options.map((option) => ({
      percent: tips.type === 'PERCENTAGE' ? option : null,
      amount: poundsText(tipChoicePence(tips.type, option, sharePence)),
    })),
  };

const wayView = (
  sources: ViewSources,
  own: Attempt | undefined,
  amounts: Amounts,
  carried: Carried,
): CheckoutView => {
  const { payment, query, card } = sources;
  const common = commonView(sources, amounts);
  const shared = {
    ...common,
    summary: { ...common.summary, canChangeAmount: hasAmountStep(payment) },
    carried,
  };
  const hasBanks = waysOf(sources).bank;
  if (card && (query.way === 'CARD' || !hasBanks))
    return {
      ...shared,
      // The card processor pays the merchant itself.
      summary: { ...shared.summary, payeeName: payment.merchant.name },
      page: 'CHOOSE_CARD',
      card,
      offersBank: hasBanks,
      postsItself: opensCardPage(query, own, card),
      ...beforeView(sources, own),
    };
  const banks = bankViews(sources, pence(amounts.amountPence + amounts.tipPence));
  const { rememberedBankId } = query;
  const lastUsedBankId = rememberedBankId ?? sources.customersBankId;
  const preselected = isArrival(query, own) ? (query.selectedBankId ?? lastUsedBankId) : null;
  const isPosted = postsItself(payment, query);
  const requested = query.institutionId ?? (isPosted ? payment.institutionId : preselected);
  const chosen = banks.find(({ id }) => id === requested);
  if (chosen?.isAvailable)
    return {
      ...shared,
      page: 'REVIEW',
      bank: chosen,
      formToken: sources.formToken,
      postsItself: isPosted,
      isBankRemembered: rememberedBankId === chosen.id,
      offersCard: card !== null,
      qrSvg: sources.qrSvg(addressHere(sources, { ...carried, institutionId: chosen.id })),
    };
  return {
    ...shared,
    page: 'CHOOSE_BANK',
    banks,
    search: query.search,
    card,
    lastUsedBankId,
    unavailableBank: chosen ?? null,
    failed: own && isShown(own) ? attemptView(sources, own) : null,
    ...beforeView(sources, own),
    ...linkView(sources),
  };
};

const addressHere = ({ publicUrl, payment, query }: ViewSources, chosen: Carried): string =>
  publicUrl + pagePath(payment.paymentRequestId, query.locale, chosen);

/** The payer has opened no page yet; returning to the list shows the list. */
const isArrival = (query: PageQuery, own: Attempt | undefined): boolean => {
  const isFresh = !query.tryAgain || query.amount?.total === '';
  return isFresh && own === undefined && query.search === '' && query.way === null;
};

/** Once only: a payer who returns from the bank is not redirected there again. */
const postsItself = (payment: Payment, query: PageQuery): boolean =>
  payment.autoRedirects && query.institutionId === null && payment.attempts.length === 0;

/**
 * A press on the card leads to its fields; a payer without another choice needs none, once only. What a
 * payer agrees to stands above the fields: without them it is agreed to here.
 */
const opensCardPage = (
  query: PageQuery,
  own: Attempt | undefined,
  { saves, hasFields = false, savedCards }: CheckoutCardOffer,
): boolean =>
  (saves === null || hasFields) &&
  (query.way === 'CARD' || (savedCards.length === 0 && isArrival(query, own)));

export const linkView = ({ publicUrl, payment, qrSvg }: ViewSources) => {
  const { paymentUrl, shortUrl } = paymentAddresses(publicUrl, payment.paymentRequestId, null);
  return { shortUrl, qrSvg: qrSvg(paymentUrl) };
};

/** What the payer left open, or why their last attempt ended. */
const beforeView = (sources: ViewSources, own: Attempt | undefined) => ({
  unfinished: unfinishedView(sources, own),
  lastFailure: isShown(own) ? (own?.errorDescription ?? null) : null,
  lastFailureCode: own?.errorCode ?? null,
});

/** Another than the latest may be open at its bank too (BANK-3). */
const unfinishedView = (sources: ViewSources, own: Attempt | undefined) => {
  const { payment } = sources;
  const open = payment.splitsBill ? own : currentAttempt(payment);
  return open?.status === 'AWAITING_AUTHORIZATION' ? attemptView(sources, open) : null;
};

/** Told only when the payer has reason to wonder: not when they chose another bank themselves. */
const isShown = (own: Attempt | undefined): boolean => {
  const hasFailed = own?.status === 'FAILED' || own?.endedReason === 'NOT_APPROVED_IN_TIME';
  const wasDeclined = own?.status === 'CANCELLED' && own.errorDescription !== null;
  return hasFailed || wasDeclined;
};
