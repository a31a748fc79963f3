import { chooseLocale, locales } from '@florin/checkout';
import type { CheckoutNotice, CheckoutView, PageOperator, SandboxScenario } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Tenant } from '#kernel/environment.ts';
import { findOpenId, payeeFor } from '#modules/merchants/index.ts';
import { type Attempt, loadPayment, type Payment } from '#modules/payments/index.ts';
import { readCookie, setCookie } from '#platform/http/use-cookies.ts';
import type { Pictures } from '#platform/pictures.ts';
import { qrSvg } from '#platform/qr.ts';
import type { Uses } from '#platform/tools.ts';
import { bankOfCustomer } from '../bank/find-last-bank.ts';
import type { CheckoutTools } from '../bank/start-bank-payment.ts';
import { cardOffer } from '../card/card-offer.ts';
import { challengeFramesOf } from '../card/pay-by-saved-card.ts';
import { fieldsOfAttempt } from '../card/start-card-payment.ts';
import { amountOf, chosenBefore } from '../input/amount-query.ts';
import { hasAmountStep } from '../input/choose-amount.ts';
import { type Fields, isEmbedded, pagePath, text } from '../input/fields.ts';
import {
  type FormTokens,
  hasStarted,
  openedBefore,
  payerIdFor,
  payerSecretOf,
  rememberedBankOf,
} from '../input/payer-browser.ts';
import {
  attemptAtCardPage,
  checkoutView,
  ownAttempt,
  type PageQuery,
} from '../views/checkout-view.ts';
import { embeddedView, withoutTips } from '../views/embedded-view.ts';
import { merchantReturn } from '../views/merchant-return.ts';

export type PageTools = CheckoutTools &
  Uses<'config' | 'clock'> & {
    readonly formTokens: FormTokens;
    readonly publicUrl: string;
    readonly operator: PageOperator;
    readonly pictures: Pictures;
    /** The outcomes a developer can try at the simulated banks. */
    readonly scenarios: readonly SandboxScenario[];
  };

type Page =
  | { readonly kind: 'VIEW'; readonly view: CheckoutView; readonly payment: Payment }
  | { readonly kind: 'NOTICE'; readonly notice: CheckoutNotice };

export type FoundPayment = { readonly tenant: Tenant; readonly payment: Payment };

/** By the id in the address of a page, in either environment. A charge has no page. */
export const findPaymentOfPage = async (
  tools: Uses<'database'>,
  paymentRequestId: string,
): Promise<FoundPayment | null> => {
  const found = await findOpenId(tools, paymentRequestId, 'PAYMENT_REQUEST');
  const payment = found && (await loadPayment(tools.database, found.tenant, found.targetId));
  return found && payment?.kind === 'CHECKOUT' ? { tenant: found.tenant, payment } : null;
};

/** The current page of a payment request. Reading it changes nothing: links are previewed. */
export const paymentPage = async (
  tools: PageTools,
  paymentRequestId: string,
  query: PageQuery,
): Promise<Page> => {
  const found = await findPaymentOfPage(tools, paymentRequestId);
  if (!found) return { kind: 'NOTICE', notice: { page: 'NOT_FOUND' } };
  const { tenant } = found;
  const payment = query.embed ? withoutTips(found.payment) : found.payment;
  const formToken = tools.formTokens.make(paymentRequestId);
  const atCardPage = attemptAtCardPage(payment, query);
  const [payee, returnTo, card, cardFields, challengeFrames, customersBankId] = await Promise.all([
    payeeFor(tools, tenant, payment.store.id),
    merchantReturn(tools, payment, ownAttempt(payment, query) ?? null),
    cardOffer(tools, payment, formToken, query.userAgent),
    fieldsOfAttempt(tools, payment, atCardPage),
    challengeFramesOf(tools, payment, atCardPage),
    bankOfCustomer(tools, payment),
  ]);
  const view = checkoutView({
    payment,
    payee,
    institutions: tools.bankRails.find(tenant.environment)?.institutions() ?? [],
    customersBankId,
    card,
    cardFields,
    challengeFrames,
    returnTo,
    qrSvg,
    publicUrl: tools.publicUrl,
    operator: tools.operator,
    pictures: tools.pictures,
    catchesMail: tools.config.smtpUrl === null,
    formToken,
    scenarios: tools.scenarios,
    offersReceipts: tools.config.smtpUrl !== null || tenant.environment === 'SANDBOX',
    query,
  });
  return { kind: 'VIEW', view: embeddedView(view, query), payment };
};

const maxSearchCharacters = 60;
const maxIdCharacters = 40;

export const queryOf = (request: FastifyRequest, paymentRequestId: string): PageQuery => {
  const query = (request.query ?? {}) as Fields;
  const secret = payerSecretOf(request);
  return {
    locale: localeOf(request),
    scenario: scenarioOf(request),
    stays: text(query.stay) !== '',
    receiptRequested: ['asked', 'caught'].includes(text(query.receipt)),
    receiptCaught: text(query.receipt) === 'caught',
    search: text(query.search).slice(0, maxSearchCharacters),
    institutionId: text(query.institutionId) || null,
    tryAgain: text(query.again) !== '',
    amount: amountOf(query),
    requiresAmount: text(query.step) === 'amount',
    way: text(query.way) === 'card' ? 'CARD' : null,
    paymentIdempotencyId: text(query.payment).slice(0, maxIdCharacters) || null,
    selectedBankId: text(query.selectedBank) || null,
    embed: isEmbedded(query) ? { showsSteps: text(query.intro) !== '' } : null,
    hasStarted: hasStarted(request, paymentRequestId),
    ...openedBefore(request, paymentRequestId),
    rememberedBankId: rememberedBankOf(request),
    userAgent: request.headers['user-agent'] ?? '',
    payerId: secret === null ? null : payerIdFor(secret, paymentRequestId),
  };
};

/** To this payer's own payment, of a split bill with the earlier choices if it failed. */
export const pageAfter = (
  payment: Payment,
  attempt: Attempt | undefined,
  locale = '',
  more = {},
): string => {
  const chosen = attempt && hasAmountStep(payment) ? chosenBefore(payment, attempt) : {};
  const own = { payment: attempt?.paymentIdempotencyId, ...chosen, ...more };
  return pagePath(payment.paymentRequestId, locale, own);
};

const languageCookie = 'florin_language';
const scenarioCookie = 'florin_scenario';

type Choices = Pick<PageTools, 'scenarios'>;

const given = (request: FastifyRequest, name: string): string =>
  text(((request.query ?? {}) as Fields)[name]);

/**
 * The language, and in the sandbox the outcome, that a payer chose by a link stays for the visit: a
 * bank returns without either. A payer who chooses nothing gets no cookie for it.
 */
export const rememberChoices = (app: FastifyInstance, { scenarios }: Choices): void => {
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET') return;
    const language = locales.find((locale) => locale === given(request, 'locale'));
    if (language && language !== languageWithout(request))
      setCookie(reply, languageCookie, language);
    const scenario = scenarios.find(({ input }) => input === given(request, 'scenario'));
    if (scenario) setCookie(reply, scenarioCookie, scenario.input);
  });
};

const languageWithout = (request: FastifyRequest): string =>
  chooseLocale(request.headers['accept-language'], readCookie(request, languageCookie));

/** The requested locale, else the earlier choice, else that of the browser. */
export const localeOf = (request: FastifyRequest): string => {
  const fields = (request.body ?? request.query ?? {}) as Fields;
  const requested = locales.find((locale) => locale === text(fields.locale));
  return requested ?? languageWithout(request);
};

/** The outcome at the simulated bank; null without a choice. */
export const scenarioOf = (request: FastifyRequest): string | null =>
  given(request, 'scenario') || readCookie(request, scenarioCookie);
