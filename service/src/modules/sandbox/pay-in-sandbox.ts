import { type BodyOf, payInSandbox as described, failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { noPence, type Pence, penceFromPounds } from '#kernel/pence.ts';
import {
  type CardPaymentTools,
  type CheckoutTools,
  explainCannotStart,
  finishAuthorisation,
  startBankPayment,
} from '#modules/checkout/index.ts';
import {
  type Attempt,
  findAttempt,
  findOwnPayment,
  isLive,
  type Payment,
  pollBank,
  type ShareChoice,
} from '#modules/payments/index.ts';
import { readStatus, seenOfPayer } from '#modules/status/index.ts';
import { badField } from '#platform/http/error-reply.ts';
import { type DecideOnce, type Route, route } from '#platform/http/route.ts';
import { beginOnce } from '#platform/idempotency/save-reply.ts';
import type { PayerBehaviour, PayerRail } from '#rails/payer-rail.ts';
import { payByCardInSandbox, waitForCardOutcome } from './pay-by-card-in-sandbox.ts';
import { simulatorAway, visitSimulator } from './visit-simulator.ts';

type Body = BodyOf<typeof described>;
type PayInSandboxTools = CheckoutTools &
  CardPaymentTools & { readonly payerRail: PayerRail | null; readonly simulatorSetting: string };

const defaultBank = 'mock-sandbox-v1';
const waitLimitMs = 20_000;
const waitStepMs = 100;

const behaviours = {
  COMPLETED: 'approve',
  FAILED: 'insufficient-funds',
  CANCELLED: 'decline',
  PENDING: 'pending-forever',
} as const satisfies Record<NonNullable<Body['outcome']>, PayerBehaviour>;

/** Consent, login, approval and return as a payer does them, without a browser. */
const payInSandbox = async (
  tools: PayInSandboxTools,
  tenant: Tenant,
  paymentRequestId: string,
  body: Body,
  decideOnce: DecideOnce = (decide) => decide(),
): Promise<Payment> => {
  const payer = tools.payerRail;
  if (!payer)
    throw new Failure(failures.railNotConfigured, {
      message: `There is no simulator to pay at: set ${tools.simulatorSetting}.`,
    });
  const found = await findOwnPayment(tools, tenant, paymentRequestId);
  const own = await findStarted(tools, found, decideOnce);
  if (own) return followStarted(tools, { tenant, payment: found }, own, body.outcome);
  if (body.method === 'CARD')
    return payByCardInSandbox(tools, payer, { tenant, payment: found }, body, {
      tipPence: checkTip(found, body.tipAmount),
      ...checkShare(found, body.amount),
    });
  checkBankWay(body);
  const institutionId = checkInstitution(tools, tenant, body.institutionId ?? defaultBank);
  const tipPence = checkTip(found, body.tipAmount);
  const started = await startBankPayment(tools, found, {
    institutionId,
    tipPence,
    ...checkShare(found, body.amount),
  });
  if (started.kind === 'CANNOT_START') throw explainCannotStart(started.why);
  if (started.kind === 'BANK_FAILED') return started.payment;
  const outcome = body.outcome ?? 'COMPLETED';
  const back = await visitSimulator(tools, 'bank', 'payment', () =>
    payer.visitBank(started.authorisationUrl, behaviours[outcome]),
  );
  const finished = await finishAuthorisation(tools, back, started.attempt.oauthState ?? '');
  if (finished.kind !== 'FINISHED') throw simulatorAway('bank', 'payment');
  if (outcome === 'PENDING') return findOwnPayment(tools, tenant, paymentRequestId);
  return waitForOutcome(tools, tenant, paymentRequestId, started.attempt.attemptId);
};

/** What a program that died under the same key has started; one that still waits for a payer is replaced. */
const findStarted = async (
  tools: PayInSandboxTools,
  { attempts }: Payment,
  decideOnce: DecideOnce,
): Promise<Attempt | undefined> => {
  const find = async () => String(attempts.length);
  const { subject, isRepeat } = await beginOnce(tools, decideOnce, find);
  const own = isRepeat ? attempts.slice(Number(subject)).at(-1) : undefined;
  return own?.status === 'AWAITING_AUTHORIZATION' ? undefined : own;
};

const followStarted = async (
  tools: PayInSandboxTools,
  { tenant, payment }: { readonly tenant: Tenant; readonly payment: Payment },
  { attemptId, method, status }: Attempt,
  outcome: Body['outcome'],
): Promise<Payment> => {
  if (!isLive(status) || outcome === 'PENDING') return payment;
  const wait = method === 'CARD' ? waitForCardOutcome : waitForOutcome;
  return wait(tools, tenant, payment.paymentRequestId, attemptId);
};

const waitForOutcome = async (
  tools: PayInSandboxTools,
  tenant: Tenant,
  paymentRequestId: string,
  attemptId: string,
): Promise<Payment> => {
  const rail = tools.bankRails.need(tenant.environment);
  const deadline = tools.clock.now().getTime() + waitLimitMs;
  while (tools.clock.now().getTime() < deadline) {
    const payment = await findOwnPayment(tools, tenant, paymentRequestId);
    const attempt = findAttempt(payment, attemptId);
    if (!attempt || !isLive(attempt.status)) return payment;
    await tools.clock.sleep(waitStepMs);
    // A submission with a lost answer is left to the jobs: a bank requires pauses.
    if (attempt.step === 'SUBMITTED')
      await pollBank(tools, rail, tenant, paymentRequestId, attemptId);
  }
  throw new Failure(failures.unavailable, {
    message: 'The simulated bank has not decided yet. Read the payment status.',
    retryAfterSeconds: 5,
  });
};

const checkBankWay = (body: Body): void => {
  const named = (['cardNumber', 'paymentMethodId', 'challenge'] as const).find(
    (member) => body[member] !== undefined,
  );
  if (named) throw badField(named, `${named} needs method CARD`, `${named} needs method CARD.`);
};

const checkInstitution = (
  tools: PayInSandboxTools,
  tenant: Tenant,
  institutionId: string,
): string => {
  const known = tools.bankRails.need(tenant.environment).institutions();
  if (known.some(({ id }) => id === institutionId)) return institutionId;
  throw badField(
    'institutionId',
    'institutionId is not a simulated bank',
    `institutionId must be one of ${known.map(({ id }) => id).join(', ')}.`,
  );
};

const checkTip = (payment: Payment, tipAmount: number | undefined): Pence => {
  const tipPence = tipAmount === undefined ? noPence : penceFromPounds(tipAmount);
  if (tipPence === null || (tipPence > 0n && payment.tips === null))
    throw badField(
      'tipAmount',
      'tipAmount is not allowed',
      tipPence === null
        ? 'tipAmount must be pounds with at most two decimals.'
        : 'This payment request takes no tips.',
    );
  return tipPence;
};

const checkShare = (payment: Payment, amount: number | undefined): { share?: ShareChoice } => {
  if (amount === undefined) return {};
  const amountPence = penceFromPounds(amount);
  if (amountPence !== null && payment.splitsBill) return { share: { kind: 'CUSTOM', amountPence } };
  throw badField(
    'amount',
    'amount is not allowed',
    amountPence === null
      ? 'amount must be pounds with at most two decimals.'
      : 'amount is for split bills; this payment request is paid in one piece.',
  );
};

export const payInSandboxRoutes = (tools: PayInSandboxTools): readonly Route[] => [
  route(described, async ({ params: { paymentRequestId }, body, decideOnce }, caller) => {
    const { tenant } = caller;
    const payment = await payInSandbox(tools, tenant, paymentRequestId, body, decideOnce);
    return readStatus(tools, payment, seenOfPayer(caller));
  }),
];
