import type { Tenant } from '#kernel/environment.ts';
import { noPence, pence } from '#kernel/pence.ts';
import type { BankStatus } from '#rails/bank-rail.ts';
import { type AttemptOrder, newAttempt, startAttempt } from '../bank/attempts.ts';
import { claimExchange, claimSubmission, recordSubmission } from '../bank/submission.ts';
import type { Payment } from '../core/payment.ts';
import type { Started } from '../core/start-attempt.ts';
import { findOwnPayment } from '../core/store/load-payment.ts';
import type { Payments } from './open-payments.ts';

export type Begun = {
  readonly id: string;
  readonly payment: Payment;
  readonly attemptId: string;
};

/** Accepted by the bank, with this status. */
export const submit = async (
  payments: Payments,
  institutionId: string,
  isoCode: string,
  id?: string,
): Promise<string> => {
  const begun = await begin(payments, institutionId, id);
  const payment = await beginExchange(payments, begun);
  const claim = await claimSubmission(payments.tools, payment, begun.attemptId, {
    state: institutionId,
  });
  if (claim.kind !== 'CLAIMED') throw new Error(claim.kind);
  const status: BankStatus = { isoCode, isoName: isoCode, changedAt: null };
  const accepted = { kind: 'ACCEPTED', state: institutionId, status } as const;
  await recordSubmission(payments.tools, claim.payment, claim.attempt, accepted);
  return begun.id;
};

const bankOf = ({ attempts }: Payment): string => attempts[0]?.institutionId ?? '';

export const tryToStart = (
  payments: Payments,
  id: string,
  institutionId: string,
): Promise<Started> =>
  startAtBank(payments.tools, payments.sandbox, id, {
    institutionId,
    amountPence: pence(1_250),
  });

/** As if the bank had been asked for a consent, and had given one. */
export const startAtBank = async (
  tools: Parameters<typeof startAttempt>[0],
  tenant: Tenant,
  id: string,
  order: Pick<AttemptOrder, 'institutionId' | 'amountPence'>,
): Promise<Started> => {
  const payment = await findOwnPayment(tools, tenant, id);
  const attempt = newAttempt(tools.ids, payment, {
    ...order,
    tipPence: noPence,
    creditor: { sortCode: '180002', accountNumber: '00000190', name: 'Sandbox Shop' },
    settlesTo: 'STORE_ACCOUNT',
    applicationUserId: null,
    paymentDevice: null,
  });
  const { attemptId } = attempt;
  const reference = `consent of ${attemptId}`;
  const state = order.institutionId;
  return startAttempt(tools, payment, attempt, {
    ...{ kind: 'CREATED', state, reference, interactionId: attemptId },
  });
};

/** A payer is at a bank; the bank's own name is the state of the rail. */
export const begin = async (
  payments: Payments,
  institutionId = payments.bankId,
  existing?: string,
): Promise<Begun> => {
  const id = existing ?? (await payments.created({ expiresIn: 86_400_000 }));
  const started = await tryToStart(payments, id, institutionId);
  if (started.kind !== 'STARTED') throw new Error(started.why);
  return { id, payment: started.payment, attemptId: started.attempt.attemptId };
};

export const beginExchange = async (payments: Payments, begun: Begun): Promise<Payment> => {
  const { payment, attemptId } = begun;
  const claimed = await claimExchange(payments.tools, payment, attemptId, bankOf(payment));
  if (claimed.kind !== 'CLAIMED') throw new Error(claimed.kind);
  return claimed.payment;
};
