import { afterAll, beforeAll, expect, test } from 'vitest';
import { submit } from '../../../service/src/modules/payments/test/submit.ts';
import { type OperatorService, openOperator } from './open-operator.ts';

let service: OperatorService;
let paid: string;
beforeAll(async () => {
  service = await openOperator();
  paid = await submit(service, service.bankId, 'ACSC');
});
afterAll(() => service.close());

const find = async (query: Readonly<Record<string, string>>) =>
  service.operate('GET', `/payments?${new URLSearchParams(query)}`);
const idsOf = async (query: Readonly<Record<string, string>>) =>
  (await find(query)).body.data.map((row: { paymentRequestId: string }) => row.paymentRequestId);

test('an operator finds a payment by order, amount, reference, id and merchant', async () => {
  const [attempt] = await service.rows<{ reference: string }>(
    'select payment_idempotency_id as reference from attempt where payment_request_id = $1::uuid',
    [paid],
  );
  const byOrder = await find({ search: 'ORDER-1' });
  expect(byOrder.body).toMatchObject({
    data: [
      {
        ...{ paymentRequestId: paid, orderId: 'order-1', amount: 12.5, status: 'COMPLETED' },
        ...{ businessName: 'Corner Coffee', environment: 'sandbox', method: 'PAY_BY_BANK' },
      },
    ],
    isWhole: true,
  });
  const { merchantId } = service.merchant;
  const queries: readonly Readonly<Record<string, string>>[] = [
    { search: '12.5' },
    { search: '£12.50 order-1' },
    { search: paid.toUpperCase() },
    { search: attempt?.reference ?? '' },
    { merchant: 'corner' },
    { merchant: merchantId, environment: 'sandbox', search: 'order-1' },
  ];
  for (const query of queries) expect(await idsOf(query), JSON.stringify(query)).toEqual([paid]);
});

test('it is found before a payer has set out to pay by its id alone', async () => {
  const id = await service.created({ orderId: 'early-1' });
  expect(await idsOf({ search: 'early-1' })).toEqual([]);
  const { body } = await find({ search: id });
  expect(body.data).toMatchObject([{ orderId: 'early-1', status: 'OPEN', method: null }]);
});

test('another merchant, environment or word finds nothing, and nothing named is refused', async () => {
  const other = await service.newMerchant();
  expect(await idsOf({ search: 'order-1', merchant: other.merchantId })).toEqual([]);
  expect(await idsOf({ search: paid, environment: 'production' })).toEqual([]);
  expect(await idsOf({ search: 'order-2 12.50' })).toEqual([]);
  const refused = await find({});
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [{ field: 'search', message: 'or a merchant must be given' }],
  ]);
});
