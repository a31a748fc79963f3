import { type BodyOf, type payInSandbox as described, failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import {
  type CardPaymentTools,
  type CardStart,
  type CardStartOrder,
  explainCannotStart,
  leaveCardPage,
  payBySavedCard,
  startCardPayment,
  takesCards,
} from '#modules/checkout/index.ts';
import {
  type Attempt,
  findAttempt,
  findOwnPayment,
  isLive,
  type Payment,
  pollCardProcessor,
} from '#modules/payments/index.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { CardVisit, PayerCard, PayerRail } from '#rails/payer-rail.ts';
import { visitSimulator } from './visit-simulator.ts';

type Body = BodyOf<typeof described>;
type PaymentOfTenant = { readonly tenant: Tenant; readonly payment: Payment };

const waitLimitMs = 20_000;
const waitStepMs = 100;

/** As a payer on the processor's page, or by one click with a saved card; without a browser. */
export const payByCardInSandbox = async (
  tools: CardPaymentTools,
  payer: PayerRail,
  { tenant, payment: found }: PaymentOfTenant,
  body: Body,
  order: CardStartOrder,
): Promise<Payment> => {
  checkCardWay(found, body);
  const { paymentRequestId } = found;
  const started =
    body.paymentMethodId === undefined
      ? await startCardPayment(tools, found, order)
      : await payBySavedCard(tools, found, body.paymentMethodId, order);
  if (started.kind === 'CANNOT_START') throw explainCannotStart(started.why);
  if (started.kind === 'CARD_FAILED') return started.payment;
  const visit = await visitPage(tools, payer, started, cardOf(body));
  if (visit === 'ABANDONED') return findOwnPayment(tools, tenant, paymentRequestId);
  const after = await waitForCardOutcome(
    tools,
    tenant,
    paymentRequestId,
    started.attempt.attemptId,
  );
  // Declined: the page would accept another card, but this payer has no other.
  return visit === 'DECLINED' ? leaveCardPage(tools, after, null) : after;
};

const cardOf = ({ cardNumber, challenge }: Body): PayerCard => ({
  ...(cardNumber === undefined ? {} : { cardNumber }),
  ...(challenge === undefined ? {} : { challenge }),
});

type Visited = CardVisit['kind'] | 'NOT_NEEDED';

const visitPage = async (
  tools: CardPaymentTools,
  payer: PayerRail,
  started: Exclude<CardStart, { readonly kind: 'CANNOT_START' | 'CARD_FAILED' }>,
  card: PayerCard,
): Promise<Visited> => {
  if (started.kind !== 'AT_PROCESSOR') return 'NOT_NEEDED';
  const pay = () => payer.payByCard(started.url, card);
  return (await visitSimulator(tools, 'card page', 'payment', pay)).kind;
};

export const waitForCardOutcome = async (
  tools: CardPaymentTools,
  tenant: Tenant,
  paymentRequestId: string,
  attemptId: string,
): Promise<Payment> => {
  const deadline = tools.clock.now().getTime() + waitLimitMs;
  while (tools.clock.now().getTime() < deadline) {
    const payment = await pollCardProcessor(tools, tenant, paymentRequestId, attemptId);
    const attempt = findAttempt(payment, attemptId);
    if (payment && (!attempt || isDecided(attempt))) return payment;
    await tools.clock.sleep(waitStepMs);
  }
  throw new Failure(failures.unavailable, {
    message: 'The simulated card processor has not decided yet. Read the payment status.',
    retryAfterSeconds: 5,
  });
};

/** What waits for the payer waits for ever: this one has done all that was to be done. */
const isDecided = ({ status, step }: Attempt): boolean =>
  !isLive(status) || step === 'AT_PROCESSOR' || step === 'STEP_UP';

const checkCardWay = (payment: Payment, body: Body): void => {
  if (!payment.cardsEnabled)
    throw new Failure(failures.notEnabled, {
      message: 'Card payments are not enabled on this account.',
    });
  if (!takesCards(payment)) throw badField('method', 'This payment request does not offer CARD.');
  if (body.institutionId !== undefined || body.outcome !== undefined)
    throw badField(
      body.outcome === undefined ? 'institutionId' : 'outcome',
      'outcome and institutionId are for banks: a card pays as its test number says.',
    );
  if ((body.cardNumber === undefined) === (body.paymentMethodId === undefined))
    throw badField(
      'cardNumber',
      'Give either a test cardNumber or the paymentMethodId of a saved card.',
    );
};
