import { settleSooner } from '#simulator/settle-sooner.ts';
import type { Bank, BankTools } from '../bank.ts';
import { bankDownMs, type MagicLogin, magicOf, outOfFunds } from '../magic-logins.ts';
import type { Consent, Json, JsonObject, KeyClaim, Payment, StandardVersion } from '../model.ts';
import { badRequest, forbidden, unavailable } from '../refusal.ts';
import { firstDayOf, kindOfConsent } from './order-kinds.ts';
import { answerForKey, holdsEnough } from './payment-consents.ts';
import { type Schedule, startingLater } from './schedule.ts';

export type PaymentOrder = {
  readonly version: StandardVersion;
  readonly consentId: string;
  readonly initiation: Json;
  readonly risk: Json;
};

type Submitted = {
  readonly consent: Consent;
  readonly payment: Payment;
  readonly connection: 'answer' | 'cut';
  readonly answerDelayMs: number;
};

export const submitPayment = async (
  { profile, tools }: Bank,
  authorisedConsentId: string,
  order: PaymentOrder,
  claim: KeyClaim,
): Promise<Submitted> => {
  const { store, clock } = tools;
  if (order.consentId !== authorisedConsentId) {
    throw forbidden('The access token was given for another consent.');
  }
  const consent = await store.findConsent(profile.id, order.consentId);
  if (consent?.version !== order.version) {
    throw badRequest('U011', 'There is no such consent in this version.', 'Data.ConsentId');
  }
  const magic = magicOf(consent.login);
  // Of a consent that was not used yet, the submission itself finds out.
  const earlier = consent.status === 'AUTH' ? undefined : await answerForKey(store, claim);
  if (earlier) return repeat(tools, consent, earlier, magic);
  refuseMismatch(consent, order);
  if (consent.status !== 'AUTH' || !consent.debtor) throw wrongStatus(consent);
  await misbehaveBeforeBooking(tools, consent, magic);

  const acceptedAt = clock.now() + consent.clockOffsetMs;
  const [first, ...later] = (await holdsEnough(tools, consent)) ? magic.schedule : outOfFunds;
  const sooner = settleSooner(tools.settlesByMs);
  const schedule: Schedule = [sooner(first), ...later.map(sooner)];
  const { orderPrefix } = kindOfConsent(consent.id);
  const payment: Payment = {
    bankId: profile.id,
    id: `${orderPrefix}${tools.random.id()}`,
    consentId: consent.id,
    acceptedAt,
    schedule: fromFirstDay(consent, schedule, acceptedAt),
  };
  const submitted = store.submitPayment(payment, consent, claim);
  const isPaid = await submitted.finally(() => store.forgetConsent(consent.id));
  if (!isPaid) {
    const winner = await answerForKey(store, claim);
    if (!winner) throw wrongStatus({ ...consent, status: 'COND' });
    return repeat(tools, consent, winner, magic);
  }
  const cut = magic.submission === 'cut-after' ? 'cut' : 'answer';
  return { consent, payment, connection: cut, answerDelayMs: magic.answerDelayMs };
};

// What is ordered for a later day begins on it; of a standing order only the first payment is made.
const fromFirstDay = ({ wireData }: Consent, schedule: Schedule, now: number): Schedule => {
  const day = firstDayOf(wireData.Initiation as JsonObject);
  return day === undefined ? schedule : startingLater(schedule, Date.parse(day) - now);
};

// Thrown when the bank hangs up before it has done anything.
export class HungUp extends Error {}

const repeat = async (
  tools: BankTools,
  consent: Consent,
  paymentId: string,
  magic: MagicLogin,
): Promise<Submitted> => {
  const payment = await tools.store.findPayment(consent.bankId, paymentId);
  if (!payment) throw new Error('the payment of an idempotency key was not found');
  return {
    consent,
    payment,
    connection: 'answer',
    answerDelayMs: magic.answerDelayMs,
  };
};

const refuseMismatch = (consent: Consent, order: PaymentOrder): void => {
  const path =
    firstDifference(consent.wireData.Initiation, order.initiation, 'Data.Initiation') ??
    firstDifference(consent.wireRisk, order.risk, 'Risk');
  if (path) throw badRequest('U008', 'The payment differs from what was consented to.', path);
};

const wrongStatus = (consent: Consent) => {
  const message = `The consent has status ${consent.status}, not AUTH.`;
  return badRequest('U009', message, 'Data.ConsentId');
};

const misbehaveBeforeBooking = async (
  tools: BankTools,
  consent: Consent,
  magic: MagicLogin,
): Promise<void> => {
  if (magic.submission !== 'down' && magic.submission !== 'cut-before') return;
  const now = tools.clock.now() + consent.clockOffsetMs;
  const { firstAt, isFirst } = await tools.store.noteSubmission(consent, now);
  if (magic.submission === 'cut-before' && isFirst) throw new HungUp();
  if (magic.submission === 'down' && now - firstAt < bankDownMs) {
    throw unavailable('Payments are down for a moment.');
  }
};

// The path of the first member in which two JSON values differ; member order does not matter.
export const firstDifference = (
  left: Json | undefined,
  right: Json | undefined,
  path: string,
): string | undefined => {
  if (left === right) return undefined;
  if (Array.isArray(left) && Array.isArray(right)) return arraysDiffer(left, right, path);
  if (isObject(left) && isObject(right)) return objectsDiffer(left, right, path);
  return path;
};

const arraysDiffer = (left: readonly Json[], right: readonly Json[], path: string) => {
  if (left.length !== right.length) return path;
  for (const [index, value] of left.entries()) {
    const difference = firstDifference(value, right[index], `${path}[${index}]`);
    if (difference) return difference;
  }
  return undefined;
};

const objectsDiffer = (left: JsonObject, right: JsonObject, path: string) => {
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const difference = firstDifference(left[name], right[name], `${path}.${name}`);
    if (difference) return difference;
  }
  return undefined;
};

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
