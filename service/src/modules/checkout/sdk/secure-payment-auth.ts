import { cardCheckoutAddress } from '@florin/checkout';
import {
  type BodyOf,
  type securePaymentAuth as described,
  failures,
  type ReplyOf,
} from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { noPence, type Pence, penceFromPounds, poundsText } from '#kernel/pence.ts';
import { availablePence, type Payment, whyNotStart } from '#modules/payments/index.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Institution } from '#rails/bank-rail.ts';
import { type CheckoutTools, startBankPayment } from '../bank/start-bank-payment.ts';
import { type CardStartOrder, takesCards } from '../card/card-offer.ts';
import { type CardPaymentTools, startCardPayment } from '../card/start-card-payment.ts';
import { chooseAmount, tipChoicePence } from '../input/choose-amount.ts';
import { cardClientOf, readDevice } from '../input/payer-browser.ts';
import { type FoundPayment, findPaymentOfPage } from '../pages/payment-page.ts';
import {
  explainToClient,
  hasCardForm,
  noCardsInBrowser,
  noRequest,
} from './get-payment-details.ts';

/** An app sends its payer to the processor's page, a dialog shows its fields (CARD-19). */
const authoriseByCard = async (
  tools: CardPaymentTools,
  payment: Payment,
  order: CardStartOrder,
) => {
  if (!payment.cardsEnabled)
    throw new Failure(failures.notEnabled, {
      message: 'Card payments are not enabled on this account.',
    });
  if (!takesCards(payment)) {
    const message = 'This payment request does not offer CARD.';
    throw badField('transactionType', message);
  }
  const started = await startCardPayment(tools, payment, order);
  if (started.kind === 'CANNOT_START') throw explainToClient(started.why, started.payment);
  if (started.kind !== 'AT_PROCESSOR' && started.kind !== 'IN_OUR_PAGE')
    throw new Failure(failures.unavailable, {
      message: started.kind === 'CARD_FAILED' ? started.description : 'There is no card page.',
      retryAfterSeconds: 5,
    });
  const { paymentIdempotencyId: cardCheckoutId } = started.attempt;
  const inDialog = `${tools.publicUrl}${cardCheckoutAddress(cardCheckoutId)}`;
  const authorisationUrl = started.kind === 'AT_PROCESSOR' ? started.url : inDialog;
  return { authorisationUrl, attempt: started.attempt, cardCheckoutId };
};

type Body = BodyOf<typeof described>;
type Reply = ReplyOf<typeof described>;
type Payer = { readonly address: string; readonly userAgent: string };

const cardInstitution = 'rapyd';

export type SecureAuthTools = CheckoutTools & CardPaymentTools;

/** Starts a payment for a page or app of the merchant; its values for the payment are ignored. */
export const securePaymentAuth = async (
  tools: SecureAuthTools,
  body: Body,
  payer: Payer,
): Promise<Reply> => {
  const { paymentRequestId } = body.paymentRequestSource;
  const found = await findPaymentOfPage(tools, paymentRequestId.toLowerCase());
  if (!found) throw noRequest();
  const { payment, tenant } = found;
  const why = whyNotStart(payment);
  if (why) throw explainToClient(why, payment);
  const isByCard = body.transactionType === 'CARD' || body.institutionId === cardInstitution;
  if (isByCard) return startByCard(tools, found, body);
  const banks = tools.bankRails.need(tenant.environment).institutions();
  const bank = banks.find(({ id }) => id === body.institutionId);
  const { share, amountPence, tipPence } = chooseAmount(payment, amountFields(payment, body));
  checkBank(bank, amountPence + tipPence);
  const started = await startBankPayment(tools, payment, {
    institutionId: body.institutionId,
    share,
    tipPence,
    payerAddress: payer.address,
    payerUserAgent: payer.userAgent,
    applicationUserId: tools.ids.uuid(),
    paymentDevice: readDevice(body),
  });
  if (started.kind === 'CANNOT_START') throw explainToClient(started.why, started.payment);
  if (started.kind === 'BANK_FAILED')
    throw new Failure(failures.unavailable, { message: started.description, retryAfterSeconds: 5 });
  const { attempt, authorisationUrl } = started;
  return {
    authorisationUrl,
    paymentIdempotencyId: attempt.paymentIdempotencyId,
    userUuid: attempt.applicationUserId,
    status: 'AWAITING_AUTHORIZATION',
    ...nothingMore,
  };
};

const startByCard = async (
  tools: SecureAuthTools,
  found: FoundPayment,
  body: Body,
): Promise<Reply> => {
  const paymentDevice = readDevice(body);
  const isInDialog = cardClientOf(paymentDevice) === 'DIALOG';
  if (isInDialog && !(await hasCardForm(tools, found.payment)))
    throw noCardsInBrowser(tools, found.payment);
  const { share, tipPence } = chooseAmount(found.payment, amountFields(found.payment, body));
  const started = await authoriseByCard(tools, found.payment, {
    share,
    tipPence,
    applicationUserId: tools.ids.uuid(),
    paymentDevice,
    takesFields: isInDialog,
    showsSavedCards: true,
  });
  return {
    ...nothingMore,
    authorisationUrl: started.authorisationUrl,
    paymentIdempotencyId: started.attempt.paymentIdempotencyId,
    userUuid: started.attempt.applicationUserId,
    status: 'AWAITING_AUTHORIZATION',
    cardCheckoutId: started.cardCheckoutId,
  };
};

// An installed bank app opens the web address by itself.
const nothingMore = {
  featureScope: [],
  tracingId: null,
  deepLinkAuthorisationUrl: null,
  deepLinkAndroidAuthorisationUrl: null,
  deepLinkAuthorisationUrlIOS: null,
  businessAppDeepLinkAuthorisationUrl: null,
  businessAppDeepLinkAndroidAuthorisationUrl: null,
  businessAppDeepLinkAuthorisationUrlIOS: null,
  appStoreLink: null,
  playStoreLink: null,
  androidPackageName: null,
  iOSPackageName: null,
  cardCheckoutId: null,
};

const checkBank = (bank: Institution | undefined, totalPence: bigint): void => {
  if (!bank) refuse('institutionId is not a bank of this environment.');
  else if (!bank.isEnabled) refuse(`${bank.name} is down for maintenance: choose another bank.`);
  else if (totalPence > bank.limitPence)
    refuse(`${bank.name} takes payments up to £${poundsText(bank.limitPence)}.`);
};

const refuse = (message: string): never => {
  const errors = [{ field: 'institutionId', message }];
  throw new Failure(failures.badRequest, { message, errors });
};

/** The same rules as for the payer's input on our own page. */
const amountFields = (payment: Payment, { tipAmount, amount }: Body) => {
  const tip = String(tipAmount ?? '');
  const isTip = Number(tip) !== 0;
  if (isTip && !payment.tips)
    throw badField('tipAmount', 'tipAmount is not allowed', 'This payment request takes no tips.');
  return {
    tip: isTip ? tipField(payment, tip, tippedPence(payment, amount?.amount)) : 'none',
    customTip: tip,
    share: payment.splitsBill && amount ? 'custom' : 'rest',
    shareAmount: String(amount?.amount ?? ''),
    paysFor: '',
    people: '',
  };
};

/** A percentage of the paid share, not of the bill. */
const tippedPence = (payment: Payment, amount: string | number | undefined): Pence => {
  if (!payment.splitsBill) return payment.amountPence;
  return amount === undefined ? availablePence(payment) : (penceFromPounds(amount) ?? noPence);
};

/** One of the quick choices if it is one: those are allowed without custom tips. */
const tipField = ({ tips }: Payment, tip: string, amountPence: Pence): string => {
  const at = (tips?.options ?? []).findIndex(
    (option) =>
      Number(poundsText(tipChoicePence(tips?.type ?? 'FIXED', option, amountPence))) ===
      Number(tip),
  );
  return at >= 0 ? String(at) : 'custom';
};
