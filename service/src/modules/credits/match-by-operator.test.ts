import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../../../../test/harness/dashboard/sign-in.ts';
import { sql } from '../../platform/database/sql.ts';
import { statement } from '../../platform/database/statement.ts';
import { loadPayment } from '../payments/index.ts';
import { openPayments, type Payments } from '../payments/test/open-payments.ts';
import { submit } from '../payments/test/submit.ts';
import { operatorRoutes } from './index.ts';
import { linkCredit } from './store/credits.ts';

let payments: Payments;
let secret: string;
beforeAll(async () => {
  payments = await openPayments({ routes: operatorRoutes });
  ({ secret } = await payments.newOperator('Ada'));
});
afterAll(() => payments.close());

type Inserted = { readonly environment: string; readonly pence: number };
const insertUnmatched = statement<Inserted, { readonly credit_id: string }>(
  'test_insert_unmatched',
  sql('environment', 'pence')`
   insert into account_credit (environment, entry_key, status, amount_pence, is_returned, due_at,
     unmatched_reason)
   values (:environment, gen_random_uuid()::text, 'UNMATCHED', :pence::bigint, false, null,
     'NO_PAYMENT')
   returning credit_id`,
  { guardedBy: 'test' },
);

const toCollectingAccount = statement<{ readonly id: string }, never>(
  'test_to_collecting_account',
  sql('id')`update attempt set settles_to = 'COLLECTING_ACCOUNT'
    where payment_request_id = :id::uuid`,
  { guardedBy: 'test' },
);

/** COMPLETED in the sandbox, to the collecting account; its credit was not seen. */
const paid = async () => {
  const id = await submit(payments, payments.bankId, 'ACSP');
  await payments.database.system(toCollectingAccount, { id });
  const [attempt] = (await loadPayment(payments.database, payments.sandbox, id))?.attempts ?? [];
  return {
    merchantId: payments.merchant.merchantId,
    paymentRequestId: id,
    attemptId: attempt?.attemptId ?? '',
  };
};

const creditIn = async (environment: string, pence = 1250): Promise<string> => {
  const [row] = await payments.database.system(insertUnmatched, { environment, pence });
  return row?.credit_id ?? '';
};

const isSettled = async (id: string): Promise<boolean | undefined> =>
  (await loadPayment(payments.database, payments.sandbox, id))?.attempts[0]?.isSettled;

const match = (creditId: string, body: object, sent: object = { secret }) =>
  payments.request('POST', `/api/operator/credits/${creditId}/match`, {
    body: { environment: 'sandbox', evidence: 'The statement names it.', ...body },
    ...sent,
  });

test('a credit of production settles no sandbox payment', async () => {
  const target = await paid();
  const credit = await creditIn('PRODUCTION');
  const refused = await match(credit, target);
  expect([refused.status, refused.body.name]).toEqual([400, 'ENVIRONMENT_MISMATCH']);
  expect(await isSettled(target.paymentRequestId)).toBe(false);
  expect((await match(await creditIn('SANDBOX'), target)).body.status).toBe('MATCHED');
  expect(await isSettled(target.paymentRequestId)).toBe(true);
});

test.each(['SANDBOX', 'PRODUCTION'] as const)(
  'the link itself refuses a payment of another environment than %s',
  async (environment) => {
    const creditId = await creditIn(environment);
    const values = { creditId, fromStatus: 'UNMATCHED', matchedBy: 'OPERATOR' } as const;
    const link = (other: 'SANDBOX' | 'PRODUCTION') =>
      paid().then((target) =>
        payments.database.system(linkCredit, { ...values, ...target, environment: other }),
      );
    expect(await link(environment === 'SANDBOX' ? 'PRODUCTION' : 'SANDBOX')).toEqual([]);
    expect(await link(environment)).toHaveLength(1);
  },
);

test('is refused for what has its credit, another amount, an unknown payment or credit', async () => {
  const target = await paid();
  expect((await match(await creditIn('SANDBOX'), target)).body.status).toBe('MATCHED');
  const credit = await creditIn('SANDBOX');
  expect((await match(credit, target)).body).toMatchObject({ name: 'CONFLICT', status: 409 });
  const other = await paid();
  const otherAmount = await match(await creditIn('SANDBOX', 1251), other);
  expect(otherAmount.body).toMatchObject({ name: 'INVALID_STATE', status: 409 });
  const unknown = other.paymentRequestId;
  expect((await match(credit, { ...other, attemptId: unknown })).status).toBe(404);
  expect((await match(unknown, other)).status).toBe(404);
  expect((await match(credit, { ...other, evidence: ' ' })).status).toBe(400);
  expect(await isSettled(other.paymentRequestId)).toBe(false);
});

test('a person signs in again to match, a program with an operator secret does not', async () => {
  const target = await paid();
  const credit = await creditIn('SANDBOX');
  const { headers } = await signIn(payments.tools, { isOperator: true });
  const asPerson = () =>
    payments.request('POST', `/dashboard/api/operator/api/operator/credits/${credit}/match`, {
      headers,
      secret: null,
      body: { environment: 'sandbox', evidence: 'The statement names it.', ...target },
    });
  const later = statement<{ readonly isOld: boolean }, never>(
    'test_move_sign_in',
    sql('isOld')`update person_session set authenticated_at = clock_timestamp()
      - (case when :isOld::boolean then 11 else 0 end) * interval '1 minute'`,
    { guardedBy: 'test' },
  );
  await payments.database.system(later, { isOld: true });
  const refused = await asPerson();
  expect([refused.status, refused.body.name]).toEqual([403, 'SIGN_IN_AGAIN']);
  expect(await isSettled(target.paymentRequestId)).toBe(false);
  await payments.database.system(later, { isOld: false });
  expect((await asPerson()).body.status).toBe('MATCHED');
  expect((await match(await creditIn('SANDBOX'), await paid())).body.status).toBe('MATCHED');
});
