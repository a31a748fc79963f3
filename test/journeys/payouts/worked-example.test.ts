import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperatorSecret } from '../../../service/src/modules/operators/index.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';
import {
  drawWorkedExample,
  type Entry,
  type PayoutLine,
  type RecordedStep,
  type ShownPayout,
} from './draw-worked-example.ts';

// `npx vitest run test/journeys/payouts/worked-example.test.ts -u` writes the page anew.
const page = '../../../docs/rules/worked-example.md';
const patience = { withinMs: 60_000 };
const second = 1_000;
const day = 24 * 60 * 60 * second;

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const request = async (method: string, path: string, body?: object, secret?: string) => {
  const reply = await journey.sandbox.request(method, path, {
    body,
    ...(secret === undefined ? {} : { secret }),
  });
  if (reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
};

/** What the page calls each payment, attempt, refund and payout instead of its id. */
const names = new Map<string, string>();
const nameOf = (id: string): string => {
  const name = names.get(id);
  if (name === undefined) throw new Error(`nothing of the story has the id ${id}`);
  return name;
};

let seenEntryId = '0';
type Row = Omit<Entry, 'about'> & {
  readonly resource_id: string;
  readonly payment_idempotency_id: string | null;
};

/** The entries that were booked since the last step. */
const readEntries = async (): Promise<readonly Row[]> =>
  journey.sandbox.tools.database.system<{ after: string }, Row>(
    {
      name: 'test_entries_since',
      text: `select e.entry_id::text, e.transaction_id, e.account, e.amount_pence::text as pence,
         e.reason, e.resource_id, a.payment_idempotency_id
       from ledger_entry e left join attempt a on a.merchant_id = e.merchant_id
         and a.environment = e.environment and a.attempt_id = e.attempt_id
       where e.entry_id > $1::bigint order by e.entry_id`,
      valueNames: ['after'],
    },
    { after: seenEntryId },
  );

const reasonsOf = (rows: readonly Row[]): string =>
  [...new Map(rows.map((row) => [row.transaction_id, row.reason])).values()].join(' ');

type Step = Omit<RecordedStep, 'entries'> & { readonly act: () => Promise<unknown> };

/** Does a step and waits until it has booked what it says, neither more nor less. */
const live = async ({ act, ...recorded }: Step): Promise<RecordedStep> => {
  await act();
  const expected = Object.keys(recorded.meanings).join(' ');
  const rows = await waitUntil(async () => {
    const found = await readEntries();
    if (reasonsOf(found) === expected) return found;
    throw new Error(`${recorded.title}: booked ${reasonsOf(found)}, not ${expected}`);
  }, patience);
  seenEntryId = rows.at(-1)?.entry_id ?? seenEntryId;
  const entries = rows.map(({ resource_id, payment_idempotency_id, ...entry }) => ({
    ...entry,
    about: names.get(resource_id) ?? nameOf(payment_idempotency_id ?? resource_id),
  }));
  return { ...recorded, entries };
};

/** Names the newest attempt of a payment, and moves the clock until its money has arrived. */
const arrives = async (paymentRequestId: string, name: string): Promise<string> => {
  const { transactionDetails } = await request(
    'GET',
    `/api/payments/v1/payment-status/${paymentRequestId}`,
  );
  for (const { paymentIdempotencyId } of transactionDetails)
    if (!names.has(paymentIdempotencyId)) names.set(paymentIdempotencyId, name);
  await journey.advance(3 * second);
  return paymentRequestId;
};
const pay = async (paymentRequestId: string, name: string, body: object): Promise<string> => {
  await request('POST', `/api/sandbox/payment-requests/${paymentRequestId}/pay`, body);
  return arrives(paymentRequestId, name);
};

const refund = async (paymentRequestId: string, name: string, more: object): Promise<void> => {
  const body = { paymentRequestId, ...more };
  names.set((await request('POST', '/api/refund', body)).refundId, name);
};

const paymentIdempotencyIdOf = (name: string): string =>
  [...names].find(([, found]) => found === name)?.[0] ?? '';

const payouts = async () => (await request('GET', '/api/payouts?orderBy=ASC')).data;

const showPayout = async (
  index: number,
  recorded: Pick<ShownPayout, 'title' | 'words'>,
): Promise<ShownPayout> => {
  const { id, amount, status } = (await payouts())[index];
  const { data } = await request('GET', `/api/payouts/${id}/transactions?limit=100`);
  const lines: readonly PayoutLine[] = data.map(
    (line: PayoutLine & { paymentIdempotencyId: string; refundId: string | null }) => ({
      lineType: line.lineType,
      about: nameOf(line.refundId ?? line.paymentIdempotencyId),
      amount: line.amount,
    }),
  );
  return { title: `${recorded.title}: ${status}`, words: recorded.words, lines, amount };
};

const paidByBank = (who: string, fee: string): RecordedStep['meanings'] => ({
  PAYMENT_COMPLETED: `${who}’s bank has accepted the payment. The operator waits for the money.`,
  PAYMENT_SETTLED:
    'the money is on the collecting account. It is owed to the merchant, payable now.',
  FEE_CHARGED: `the payment becomes a line of the open payout, and the fee is taken: ${fee}.`,
});

let adasPayment = '';
let bill = '';
let bensPayment = '';

const steps = (): readonly Step[] => [
  {
    title: 'Ada pays £50.00',
    words: 'The merchant requests £50.00, and Ada pays it by bank.',
    meanings: paidByBank('Ada', '20 pence and 1 % of £50.00'),
    act: async () => {
      adasPayment = await journey.create({ amount: 50, enableTips: false, expiresIn: 60 * day });
      await journey.payer.pay(adasPayment, 'rejected-days-later');
      await journey.becomes(adasPayment, 'COMPLETED .*');
      await arrives(adasPayment, 'Ada’s payment');
    },
  },
  {
    title: 'Ben pays £20.00 and a tip of £2.00',
    words:
      'The tip goes the way of the amount: the ledger books what was paid, and the fee counts it.',
    meanings: paidByBank('Ben', '20 pence and 1 % of £22.00'),
    act: async () => {
      bensPayment = await journey.create({ amount: 20 });
      await pay(bensPayment, 'Ben’s payment', { tipAmount: 2 });
    },
  },
  {
    title: 'Cleo pays her share of a bill, £18.00 of £30.00',
    words:
      'The merchant requests £30.00 and lets the payers split it. Each share is booked by itself.',
    meanings: paidByBank('Cleo', '20 pence and 1 % of £18.00'),
    act: async () => {
      // The simulated hub returns a transfer whose reference has this word.
      bill = await journey.create({ amount: 30, splitBill: true, orderId: 'SIM-RETURN' });
      await pay(bill, 'Cleo’s share', { amount: 18 });
    },
  },
  {
    title: 'Dev pays the rest of the bill, £12.00',
    words: 'Now the bill is paid.',
    meanings: paidByBank('Dev', '20 pence and 1 % of £12.00'),
    act: () => pay(bill, 'Dev’s share', { amount: 12 }),
  },
  {
    title: 'The merchant refunds £5.00 to Ben',
    words: 'A partial refund: Ben keeps what he bought for the other £17.00. His fee stays.',
    meanings: {
      REFUND_HANDED_OVER: 'the operator orders its bank to transfer £5.00 to Ben’s account.',
      REFUND_COMPLETED: 'the bank reports that the money has left the collecting account.',
    },
    act: async () => {
      await refund(bensPayment, 'Ben’s refund', { amount: 5 });
      await journey.advance(3 * second);
    },
  },
  {
    title: 'The merchant refunds £12.00 to Dev, and Dev’s bank returns it',
    words: 'Dev’s account was closed meanwhile. The refund was COMPLETED and turns FAILED.',
    meanings: {
      REFUND_HANDED_OVER: 'the operator orders its bank to transfer £12.00 to Dev’s account.',
      REFUND_COMPLETED: 'the bank reports that the money has left the collecting account.',
      REFUND_RETURNED:
        'two minutes later the money is back. It is owed to the merchant again, who may ask Dev for ' +
        'another account.',
    },
    act: async () => {
      const paymentIdempotencyId = paymentIdempotencyIdOf('Dev’s share');
      await refund(bill, 'Dev’s refund', { amount: 12, paymentIdempotencyId });
      await journey.advance(3 * second);
      await journey.advance(120 * second);
    },
  },
  {
    title: 'The merchant is paid out',
    words: 'The settlement period ends: all that is payable goes to the bank account of the store.',
    meanings: {
      PAYOUT_HANDED_OVER: 'the operator orders its bank to transfer £95.18 to the merchant.',
      PAYOUT_SETTLED:
        'the bank reports that the money has left. The last two entries remember what each account ' +
        'of a store has had.',
    },
    act: async () => {
      names.set((await payouts())[0].id, 'first payout');
      await journey.advance(5 * day);
    },
  },
  {
    title: 'Ada’s bank takes its £50.00 back',
    words:
      'Eight days after she paid, when the money is paid out already. Her payment was COMPLETED and ' +
      'turns FAILED. The merchant now owes £49.30, which the next payout deducts.',
    meanings: {
      PAYMENT_REVERSED:
        'each entry of the payment is undone, in one transaction: the collecting account is short, ' +
        'and the merchant’s balance is below nothing.',
      FEE_RETURNED: 'the fee of a payment that did not last is given up.',
    },
    act: async () => {
      await journey.advance(5 * day);
      await journey.becomes(adasPayment, 'FAILED RJCT');
    },
  },
];

const intro = [
  '# Worked example',
  '',
  'The money of three payments, from the payers to the merchant and some of it back. A test lives it',
  'through the running product and prints each entry that the ledger then has; with other entries it',
  'fails. `npx vitest run test/journeys/payouts/worked-example.test.ts -u` writes the page anew.',
  '[All rules](README.md)',
  '',
  '## LEDGER-3',
  '',
  '**Three payments, from their payers to the merchant.** Corner Coffee has one store. The operator',
  'collects its payments and charges a fee of 20 pence and 1 % for each (PAYOUT-5). All amounts of the',
  'ledger are pence. What the accounts hold is in LEDGER-1: a debit is above zero, a credit below, so',
  'what the operator has is positive, what it owes or earns is negative, and all accounts together are',
  'zero (MONEY-10). `balance` is what the account holds after the entry.',
];

/** Half a day from now: no period ends while the story is lived. */
const cutOff = (): string => new Date(Date.now() + day / 2).toISOString().slice(11, 16);

/** As the operator reads them. */
const balancesOf = (recorded: readonly RecordedStep[]) => {
  const entries = recorded.flatMap((step) => step.entries);
  return [...new Set(entries.map(({ account }) => account))].sort().map((account) => {
    const own = entries.filter((entry) => entry.account === account);
    const pence = own.reduce((sum, entry) => sum + Number(entry.pence), 0);
    return { account, balance: (pence / 100).toFixed(2) };
  });
};

test('the page shows what the running product books', { timeout: 120_000 }, async () => {
  const { merchantId } = journey.sandbox.tenant;
  const { secret } = await createOperatorSecret(journey.sandbox.tools, 'Ada', null);
  const merchant = `/api/operator/merchants/${merchantId}/sandbox`;
  const fees = { feeFixed: 0.2, feeBasisPoints: 100 };
  await request('PUT', `${merchant}/payout-settings`, { ...fees, cutOff: cutOff() }, secret);
  const tips = { enabled: true, tipType: 'FIXED', options: [1, 2, 5], allowCustom: true };
  await request('POST', '/api/sandbox/tips', tips);
  const recorded: RecordedStep[] = [];
  for (const step of steps()) recorded.push(await live(step));
  const [account] = (await request('GET', `${merchant}/balances`, undefined, secret)).data;
  expect(account.balances).toEqual(balancesOf(recorded));
  const shown = [
    await showPayout(0, {
      title: 'The first payout',
      words: 'What `GET /api/payouts/{payoutId}/transactions` lists of it, in pounds.',
    }),
    await showPayout(1, {
      title: 'The next payout',
      words: 'It is open. While it is below nothing it waits for other payments (PAYOUT-2).',
    }),
  ];
  await expect(drawWorkedExample(intro, recorded, shown)).toMatchFileSnapshot(page);
});
