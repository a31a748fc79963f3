import { createMerchant, suspendMerchant } from '../../service/src/modules/merchants/index.ts';
import { createCode } from '../../service/src/modules/point-of-sale/codes.ts';
import type { Journey } from '../harness/open-journey.ts';
import { testBankAccounts } from '../harness/open-test-service.ts';

const shop = 'https://shop.example/thanks?basket=7';
const reversalMs = 180_000;
const refused = 'FAILED RJCT';
const approvedCard = '4242424242424242';
const challengeCard = '4000000000000127';
const declinedCardNumber = '4000000000000002';

/** Without a tip step before the banks. */
const create = (journey: Journey, more: object = {}): Promise<string> =>
  journey.create({ enableTips: false, ...more });

const post = async (journey: Journey, path: string, body: object) => {
  const answer = await journey.sandbox.request('POST', path, { body });
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const drive = (journey: Journey, id: string, body: object) =>
  post(journey, `/api/sandbox/payment-requests/${id}/pay`, body);

const setTips = (journey: Journey) =>
  post(journey, '/api/sandbox/tips', {
    enabled: true,
    tipType: 'PERCENTAGE',
    options: [5, 10, 15],
    allowCustom: true,
  });

/** One share is paid, and another payer is at their bank. */
const sharedBill = async (journey: Journey) => {
  const id = await journey.create({ splitBill: true, enableTips: true, amount: 40 });
  const { transactionDetails } = await drive(journey, id, { amount: 5 });
  await post(journey, '/api/payments/v1/secure-payment-auth', {
    institutionId: 'mock-sandbox-v1',
    paymentRequestSource: { paymentRequestId: id },
    amount: { amount: 10 },
  });
  return { id, paidShare: transactionDetails[0].paymentIdempotencyId as string };
};

/** A customer with one saved card, and a payment whose card challenges them. */
const savedCard = async (journey: Journey) => {
  const person = { fullName: 'Ada Lovelace', email: 'ada@example.com' };
  const { id: atoaCustomerId } = await post(journey, '/api/customers', person);
  const saves = await create(journey, {
    atoaCustomerId,
    savePaymentMethod: true,
    paymentMethod: ['CARD'],
  });
  await drive(journey, saves, { method: 'CARD', cardNumber: challengeCard });
  const cards = await journey.sandbox.request('GET', `/api/customers/${atoaCustomerId}/cards`);
  const [fresh, challenged] = await Promise.all(
    [1, 2].map(() => create(journey, { atoaCustomerId, redirectUrl: shop })),
  );
  await drive(journey, challenged ?? '', {
    method: 'CARD',
    paymentMethodId: cards.body[0].id,
    challenge: 'ABANDON',
  });
  return { fresh, challenged };
};

/** Payments in each state that an API call, a bank or a card can lead to. */
export const samplePayments = {
  waiting: async (journey: Journey) => {
    const id = await create(journey);
    await journey.payer.pay(id, 'pending-forever');
    await journey.becomes(id, 'PENDING PDNG');
    return id;
  },
  paid: async (journey: Journey) => {
    const id = await create(journey, { redirectUrl: shop, notes: 'Table 12' });
    await journey.payer.pay(id);
    await journey.becomes(id, 'COMPLETED .*');
    return id;
  },
  failed: async (journey: Journey) => {
    const id = await create(journey, { redirectUrl: shop });
    await journey.payer.pay(id, 'insufficient-funds');
    await journey.becomes(id, refused);
    return id;
  },
  failedForGood: async (journey: Journey) => {
    const id = await create(journey, { allowRetry: false });
    await journey.payer.pay(id, 'payee-closed');
    await journey.becomes(id, refused);
    return id;
  },
  reversed: async (journey: Journey) => {
    const id = await create(journey);
    await journey.payer.pay(id, 'rejected-late');
    await journey.becomes(id, 'COMPLETED .*');
    await journey.advance(reversalMs);
    await journey.becomes(id, refused);
    return id;
  },
  blocked: async (journey: Journey) => {
    const id = await create(journey);
    await journey.payer.pay(id, 'blocked');
    await journey.becomes(id, 'FAILED BLCK');
    return id;
  },
  declined: async (journey: Journey) => {
    const id = await create(journey);
    await journey.payer.pay(id, 'decline');
    return id;
  },
  unfinished: async (journey: Journey) => {
    const id = await create(journey);
    await journey.payer.start(id);
    return id;
  },
  cancelled: async (journey: Journey) => {
    const id = await create(journey, { redirectUrl: shop });
    await journey.sandbox.request('POST', `/api/payment-request/cancel/${id}`);
    return id;
  },
  toSaveACard: async (journey: Journey) => {
    const person = { fullName: 'Grace Hopper', email: 'grace@example.com' };
    const { id: atoaCustomerId } = await post(journey, '/api/customers', person);
    const paymentMethod = ['CARD'];
    return create(journey, { atoaCustomerId, savePaymentMethod: true, paymentMethod });
  },
  atCardPage: async (journey: Journey) => {
    const id = await create(journey, { redirectUrl: shop });
    await drive(journey, id, { method: 'CARD', cardNumber: challengeCard, challenge: 'ABANDON' });
    return id;
  },
  paidByCard: async (journey: Journey) => {
    const id = await create(journey);
    await drive(journey, id, { method: 'CARD', cardNumber: approvedCard });
    return id;
  },
  declinedCard: async (journey: Journey) => {
    const id = await create(journey);
    await drive(journey, id, { method: 'CARD', cardNumber: declinedCardNumber });
    return id;
  },
  billPaid: async (journey: Journey) => {
    const id = await create(journey, { splitBill: true, redirectUrl: shop });
    await drive(journey, id, {});
    return id;
  },
  noWay: async ({ sandbox }: Journey) => {
    const merchant = await createMerchant(sandbox.tools, {
      businessName: 'Cards Only',
      bankAccounts: testBankAccounts,
    });
    const { secret } = merchant.secrets.SANDBOX;
    const body = { customerId: 'c', orderId: 'o', amount: 7, paymentMethod: ['CARD'] };
    const path = '/api/payments/process-payment';
    const created = await sandbox.request('POST', path, { secret, body });
    const off = { secret, body: { cardsEnabled: false } };
    await sandbox.request('POST', '/api/sandbox/switches', off);
    return created.body.paymentRequestId as string;
  },
  suspended: async ({ sandbox }: Journey) => {
    const { tools } = sandbox;
    const merchant = await createMerchant(tools, {
      businessName: 'Tea House',
      bankAccounts: testBankAccounts,
    });
    const { secret, secretId } = merchant.secrets.SANDBOX;
    const body = { customerId: 'c', orderId: 'o', amount: 7 };
    const made = await sandbox.request('POST', '/api/payments/process-payment', { secret, body });
    const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
    const by = { kind: 'secret' } as const;
    const caller = { tenant, secretId, redirectUrl: null, isReadOnly: false, by };
    const code = { label: 'Table 4' };
    const { codeUrl } = await createCode(
      { ...tools, publicUrl: sandbox.url },
      caller,
      code,
      (decide) => decide(),
    );
    await suspendMerchant(tools, tenant, 'Nothing was delivered.', { name: 'Ada' });
    return { id: made.body.paymentRequestId as string, codePath: new URL(codeUrl).pathname };
  },
  sharedBill,
  savedCard,
} as const;

export { create, setTips, shop };
