import { failures } from '@florin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import {
  extendTime,
  type Payment,
  tipToPay,
  waitsForPayer,
  withoutOwnShare,
} from '#modules/payments/index.ts';
import { offersBank, startBankPayment } from '../bank/start-bank-payment.ts';
import { type CardStartOrder, takesCards } from '../card/card-offer.ts';
import { challengeFramesOf, payBySavedCard, reopenStepUp } from '../card/pay-by-saved-card.ts';
import {
  type CardPaymentTools,
  type CardStart,
  fieldsOfAttempt,
  reopenCardPage,
  startCardPayment,
} from '../card/start-card-payment.ts';
import { amountOf, choiceIn, nothingChosen } from '../input/amount-query.ts';
import { type ChosenAmount, findAmount, hasAmountStep } from '../input/choose-amount.ts';
import {
  embedIn,
  type Fields,
  frameIsDone,
  isEmbedded,
  isFrameOfOurs,
  pagePath,
  text,
} from '../input/fields.ts';
import {
  payerIdFor,
  payerSecretOf,
  rememberBank,
  rememberPayer,
  rememberStarted,
} from '../input/payer-browser.ts';
import { appDevice, withoutTips } from '../views/embedded-view.ts';
import type { FoundPayment } from './payment-page.ts';
import { type PageTools, pageAfter, scenarioOf } from './payment-page.ts';
import { answerPostedForm } from './return-from-bank.ts';

/** The payer has read the review and continues to the bank, or pays by card. */
export const startFromPage = (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> =>
  answerPostedForm(tools, request, reply, async ({ paymentRequestId, found, fields, isOurs }) => {
    const isApp = isEmbedded(fields);
    const payable = isApp ? { ...found, payment: withoutTips(found.payment) } : found;
    const started = isOurs ? await startedAt(tools, request, reply, payable) : null;
    const chosen = { ...choiceIn(fields), ...embedIn(fields) };
    const next = started ?? pagePath(paymentRequestId, fields.locale, chosen);
    if (isApp && request.headers.accept === 'application/json')
      return reply.header('cache-control', 'no-store').send({ location: next });
    return isFrameOfOurs(fields) && next.startsWith('/')
      ? frameIsDone(reply)
      : reply.redirect(next, 303);
  });

/** Where the browser goes next; null: nothing was started, and the page shows the reason. */
type Next = Promise<string | null>;

const startedAt = async (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
  found: FoundPayment,
): Next => {
  const payerId = payerOf(tools, request, reply, found.payment);
  const isByCard = text(((request.body ?? {}) as Fields).way) === 'card';
  try {
    if (isByCard) return await startByCard(tools, request, found, payerId);
    const bank = await startByBank(tools, request, found, payerId);
    if (bank !== null) {
      rememberBankOf(request, reply);
      rememberStarted(reply, found.payment.paymentRequestId);
    }
    return bank;
  } catch (error) {
    // Another payer was faster: the page shows the rest beside the choice.
    if (error instanceof Failure && error.definition === failures.badRequest) return null;
    throw error;
  }
};

const rememberBankOf = (request: FastifyRequest, reply: FastifyReply): void => {
  const { institutionId, remember, remembered } = (request.body ?? {}) as Fields;
  const forget = text(remembered) === '' ? null : 'FORGET';
  rememberBank(reply, text(institutionId), text(remember) === '' ? forget : 'KEEP');
};

type Start = (
  tools: PageTools,
  request: FastifyRequest,
  found: FoundPayment,
  payerId: string,
) => Next;

const startByBank: Start = async (tools, request, { tenant, payment }, payerId) => {
  const fields = (request.body ?? {}) as Fields;
  const amount = agreedAmount(payment, fields, payerId);
  const bank = amount && bankNamed(tools, payment, amount, text(fields.institutionId));
  if (!bank) return null;
  const started = await startBankPayment(tools, payment, {
    institutionId: bank.id,
    ...orderedBy(amount, payerId, fields),
    payerAddress: request.ip,
    payerUserAgent: request.headers['user-agent'] ?? '',
    ...loginHint(tools, tenant, request),
  });
  return started.kind === 'AT_BANK' ? started.authorisationUrl : null;
};

const schemes = ['light', 'dark'] as const;

const startByCard: Start = async (tools, request, found, payerId) => {
  const fields = (request.body ?? {}) as Fields;
  const card = {
    cardId: text(fields.cardId),
    resume: text(fields.resume),
    locale: text(fields.locale),
  };
  // An open page may be finished, whatever was switched off meanwhile, and has its amount already.
  const open = card.resume === '' ? null : await resumed(tools, found.payment, card);
  if (open !== null) return open;
  const amount = agreedAmount(found.payment, fields, payerId);
  const takesFields = text(fields.fields) !== '' && card.resume === '';
  if (!amount) return null;
  const scheme = schemes.find((each) => each === fields.fields);
  const order = { ...orderedBy(amount, payerId, fields), takesFields, ...(scheme && { scheme }) };
  return startCardFromPage(tools, found, card, order);
};

type Agreed = Omit<ChosenAmount, 'kind'>;

const orderedBy = (
  { share, amountPence, tipPence }: Agreed,
  applicationUserId: string,
  fields: Fields,
) => ({
  share,
  expectedPence: amountPence,
  tipPence,
  applicationUserId,
  ...(isEmbedded(fields) ? { paymentDevice: appDevice } : {}),
});

/** A login name that selects the outcome at a simulated bank; real banks get none. */
const loginHint = (tools: PageTools, tenant: Tenant, request: FastifyRequest) => {
  const chosen = scenarioOf(request);
  const known = tools.scenarios.find(({ input }) => input === chosen);
  return known && tenant.environment === 'SANDBOX' ? { loginHint: known.input } : {};
};

/**
 * Payers of a split bill are distinguished by their browsers; an unsplit bill has one payer at a
 * time.
 */
const payerOf = (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
  payment: Payment,
): string => {
  if (!payment.splitsBill) return tools.ids.uuid();
  const secret = payerSecretOf(request) ?? tools.ids.token(130);
  rememberPayer(reply, secret);
  return payerIdFor(secret, payment.paymentRequestId);
};

const whole = (payment: Payment): Agreed => ({
  share: { kind: 'REST' },
  amountPence: payment.amountPence,
  tipPence: tipToPay(payment),
});

/** The amount on the payer's last page, if it is still available. */
const agreedAmount = (payment: Payment, fields: Fields, payerId: string): Agreed | null => {
  if (!hasAmountStep(payment)) return whole(payment);
  const given = amountOf(fields);
  const mine = withoutOwnShare(payment, payerId);
  const found = findAmount(mine, given?.fields ?? nothingChosen, given?.total);
  return given && found.kind === 'CHOSEN' ? found : null;
};

const bankNamed = (
  tools: PageTools,
  payment: Payment,
  { amountPence, tipPence }: Agreed,
  institutionId: string,
) => {
  const banks = tools.bankRails.find(payment.tenant.environment)?.institutions() ?? [];
  return banks.find(
    ({ id, isEnabled, limitPence }) =>
      id === institutionId &&
      offersBank(payment) &&
      isEnabled &&
      amountPence + tipPence <= limitPence,
  );
};

/** Extends the request by one `expiresIn`, as far as the merchant allows (REQUEST-6). */
export const extendByPayer = (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> =>
  answerPostedForm(tools, request, reply, async ({ paymentRequestId, found, fields, isOurs }) => {
    if (isOurs) await extendTime(tools, found.tenant, paymentRequestId);
    const { institutionId, way } = fields;
    const more = { ...choiceIn(fields), ...embedIn(fields), institutionId, way };
    return reply.redirect(pagePath(paymentRequestId, fields.locale, more), 303);
  });

type CardStartFields = {
  /** A saved card; empty: the processor's page. */
  readonly cardId: string;
  /** The payment whose page the payer left; empty: a new one. */
  readonly resume: string;
  readonly locale: string;
};

/** Where the payer's browser goes next: the processor, the card's bank, or back to the page. */
const startCardFromPage = async (
  tools: CardPaymentTools,
  found: { readonly tenant: Tenant; readonly payment: Payment },
  { cardId, locale }: CardStartFields,
  order: CardStartOrder,
): Promise<string> => {
  const { payment } = found;
  if (!takesCards(payment)) return pageAfter(payment, undefined, locale);
  const started =
    cardId === ''
      ? await startCardPayment(tools, payment, order)
      : await payBySavedCard(tools, payment, cardId, order);
  if (started.kind === 'AT_PROCESSOR' && !(await isAskedHere(tools, started, order)))
    return started.url;
  if (started.kind === 'AT_PROCESSOR' || started.kind === 'IN_OUR_PAGE')
    return pageAfter(started.payment, started.attempt, locale, { way: 'card' });
  const attempt = started.kind === 'CHARGED' ? started.attempt : started.payment.attempts.at(-1);
  return pageAfter(started.payment, attempt, locale);
};

/** The question about a saved card, where a script runs. An app opens outside what is not ours. */
const isAskedHere = async (
  tools: CardPaymentTools,
  { payment, attempt }: Extract<CardStart, { kind: 'AT_PROCESSOR' }>,
  { takesFields, paymentDevice }: CardStartOrder,
): Promise<boolean> =>
  takesFields === true &&
  !paymentDevice &&
  (await challengeFramesOf(tools, payment, attempt)) !== null;

/** Null: its fields stood in our page, which did not show them. It is closed, and a page opened. */
const resumed = async (
  tools: CardPaymentTools,
  payment: Payment,
  { resume, locale }: CardStartFields,
): Promise<string | null> => {
  const attempt = payment.attempts.find((other) => other.paymentIdempotencyId === resume);
  if (!attempt || !waitsForPayer(attempt)) return pageAfter(payment, attempt, locale);
  if ((await fieldsOfAttempt(tools, payment, attempt)) !== null) return null;
  const url =
    attempt.step === 'STEP_UP'
      ? await reopenStepUp(tools, payment, attempt)
      : await reopenCardPage(tools, payment, attempt);
  return url ?? pageAfter(payment, attempt, locale);
};
