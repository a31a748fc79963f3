import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishAuthorisation, startBankPayment } from '../../service/src/modules/checkout/index.ts';
import {
  bankRails,
  findOwnPayment,
  loadPayment,
  pollBank,
} from '../../service/src/modules/payments/index.ts';
import { requestPayment } from '../../service/src/modules/payments/requests/request-payment.ts';
import type { BankRail } from '../../service/src/rails/bank-rail.ts';
import { noCardRails } from '../harness/no-card-rails.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { scriptedBank, scriptedBankId } from './scripted-bank.ts';
import { seededRandom } from './seeded-random.ts';

let service: TestService;

beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

/** A payment that its payer has approved, on a rail that the test may bend. */
const approvedPayment = async (bend: (rail: BankRail) => BankRail) => {
  const bank = scriptedBank(seededRandom(1), {
    faultShare: () => 0,
    endsSettled: false,
    maxPence: 1_000n,
  });
  const tenant = service.sandbox;
  const rail = bend(bank.rail);
  const rails = bankRails({ SANDBOX: rail, PRODUCTION: null }, { SANDBOX: '', PRODUCTION: '' });
  const tools = {
    ...service.tools,
    bankRails: rails,
    cardRails: noCardRails,
    publicUrl: 'http://florin.test',
  };
  const { secretId } = service.merchant.secrets.SANDBOX;
  const caller = {
    tenant,
    secretId,
    redirectUrl: null,
    isReadOnly: false,
    by: { kind: 'secret' } as const,
  };
  const order = { customerId: 'c', orderId: 'o', amount: 10 };
  const made = await requestPayment(tools, caller, order, null);
  const id = 'paymentRequestId' in made ? made.paymentRequestId : '';
  const started = await startBankPayment(tools, await findOwnPayment(tools, tenant, id), {
    institutionId: scriptedBankId,
  });
  if (started.kind !== 'AT_BANK') throw new Error(started.kind);
  const [consent] = bank.consents.values();
  if (!consent) throw new Error('no consent');
  Object.assign(consent, { status: 'AUTHORISED', code: 'code' });
  const state = started.attempt.oauthState ?? '';
  const { attemptId } = started.attempt;
  return { tools, tenant, id, rail, bank, attemptId, back: { code: 'code', state }, state };
};

const refusal = { kind: 'REFUSED', code: 'AM04', description: 'Too little money.' } as const;

test('a refusal after the bank took the repeated order changes nothing', async () => {
  let refuseLate: () => void = () => undefined;
  const isHeard = new Promise<void>((resolve) => {
    refuseLate = resolve;
  });
  let isSubmitting: () => void = () => undefined;
  const submitting = new Promise<void>((resolve) => {
    isSubmitting = resolve;
  });
  const paid = await approvedPayment((rail) => ({
    ...rail,
    submit: async () => {
      isSubmitting();
      await isHeard;
      return refusal;
    },
    // Taken, and its answer lost: the attempt is still open when the refusal arrives.
    resolveSubmission: async (state) => {
      await rail.submit(state);
      return { kind: 'UNKNOWN', description: 'No answer.' };
    },
  }));
  const finishing = finishAuthorisation(paid.tools, paid.back, paid.state);
  await submitting;
  await pollBank(paid.tools, paid.rail, paid.tenant, paid.id, paid.attemptId);
  refuseLate();
  await finishing;
  expect(paid.bank.payments).toHaveLength(1);
  const payment = await loadPayment(paid.tools.database, paid.tenant, paid.id);
  expect(payment?.attempts.map(({ status, step }) => [status, step])).toEqual([
    ['PENDING', 'SUBMITTING'],
  ]);
});

test('a refusal of the only submission ends the attempt', async () => {
  const paid = await approvedPayment((rail) => ({ ...rail, submit: async () => refusal }));
  const finished = await finishAuthorisation(paid.tools, paid.back, paid.state);
  expect(finished).toMatchObject({ payment: { attempts: [{ status: 'FAILED' }] } });
});

test('one of two browsers that return together exchanges the code', async () => {
  const paid = await approvedPayment((rail) => rail);
  const returns = [1, 2, 3, 4].map(() => finishAuthorisation(paid.tools, paid.back, paid.state));
  await Promise.all(returns);
  expect(paid.bank.complaints).toEqual([]);
  expect(paid.bank.payments).toHaveLength(1);
});
