import { matchCredits } from '../../service/src/modules/credits/credits.ts';
import { cardPayments } from '../harness/card-payments.ts';
import { signIn } from '../harness/dashboard/sign-in.ts';
import { openSimulatorControl } from '../harness/invariants/open-simulator-control.ts';
import { openPayer } from '../harness/open-payer.ts';
import { waitUntil } from '../harness/wait-until.ts';
import type { WorkCounter } from './count-work.ts';
import type { ProductByHand } from './open-product-by-hand.ts';

const savedCard = '4000000000000127';

/** Each of one payment alone. */
export type MainJourney = {
  readonly name: string;
  /** What it needs, which is not counted. */
  readonly prepare?: () => Promise<string>;
  /** Answers how many bytes its caller is shown, where that is the work. */
  readonly run: (prepared: string) => Promise<unknown>;
};

export const mainJourneys = async (
  product: ProductByHand,
  counter: WorkCounter,
): Promise<readonly MainJourney[]> => {
  const { request, bytesOf, receiver, tenant } = product;
  const { create, payByBank, refund } = bankSteps(product, counter);
  const cards = cardPayments(product);
  const card = await cards.saveCard(savedCard);
  /** The call goes to the processor after the caller has its answer. */
  const charge = async (captureType: string, status: string): Promise<string> => {
    const id = await cards.charged(card, { captureType });
    await waitUntil(async () => (await attemptOf(id)) === status, { everyMs: 20 });
    return id;
  };
  const attemptOf = async (id: string) => {
    const text = 'select status from attempt where payment_request_id = $1';
    return (await cards.rows(text, [id]))[0]?.status;
  };
  const member = await signIn(product.tools, {
    merchantId: tenant.merchantId,
    origin: product.url,
  });
  const list = `/dashboard/api/merchants/${tenant.merchantId}/sandbox/api/payments/transactions`;
  return [
    { name: 'create', run: create },
    {
      name: 'page view',
      prepare: create,
      run: (id) => bytesOf('GET', `/pay?paymentRequestId=${id}&source=EXTERNAL_MERCHANT`),
    },
    { name: 'bank payment, created to ACSC', run: payByBank },
    { name: 'charge of a saved card', run: () => charge('AUTO_CAPTURE', 'COMPLETED') },
    {
      name: 'capture',
      prepare: () => charge('MANUAL_CAPTURE', 'AUTHORIZED'),
      run: async (id) => {
        await cards.capture(id);
        await waitUntil(async () => (await attemptOf(id)) === 'COMPLETED', { everyMs: 20 });
      },
    },
    { name: 'refund of a bank payment, to the bank', prepare: payByBank, run: refund },
    {
      name: 'credit of a settled payment, to matched',
      prepare: async () => {
        const id = await payByBank();
        await cards.rows(
          `insert into account_credit (environment, entry_key, amount_pence, end_to_end_id, known_as,
             is_returned)
           select environment, attempt_id::text, amount_pence + tip_pence, payment_idempotency_id,
             payment_idempotency_id, false
           from attempt where payment_request_id = $1`,
          [id],
        );
        return id;
      },
      run: async () => {
        if ((await matchCredits(product.tools)) !== 1) throw new Error('no credit was matched');
      },
    },
    {
      name: 'payout line',
      prepare: async () => {
        await payByBank();
        await product.payouts.fillPayouts();
        return payByBank();
      },
      run: async () => void (await product.payouts.fillPayouts()),
    },
    {
      name: 'delivery',
      prepare: async () => {
        const body = { url: receiver.url, events: ['PAYMENTS_STATUS'] };
        if (receiver.received.length === 0)
          await request('POST', '/api/webhook/v2/endpoints', { body });
        return charge('AUTO_CAPTURE', 'COMPLETED');
      },
      run: async () => {
        const before = receiver.received.length;
        const dispatcher = product.deliver();
        await waitUntil(() => receiver.received.length > before, { everyMs: 20 });
        await dispatcher.stop();
      },
    },
    {
      name: 'list of the dashboard',
      run: () => bytesOf('POST', `${list}?page=0&size=50`, { body: {}, headers: member.headers }),
    },
  ];
};

const bankSteps = (product: ProductByHand, { aside }: WorkCounter) => {
  const { request, payments, refunds, transfers } = product;
  const payer = openPayer(product.url);
  const opening = openSimulatorControl({
    simulatorUrl: product.simulator.url,
    trustFolder: product.trustFolder,
  });
  const create = async (): Promise<string> => {
    const body = { customerId: 'c', orderId: 'o', amount: 12.5, enableTips: false };
    return (await request('POST', '/api/payments/process-payment', { body })).body.paymentRequestId;
  };
  /** The bank has settled every payment, and a poll of it is due. */
  const settled = () =>
    aside(() =>
      waitUntil(async () => {
        const lines = await (await opening).payments();
        return lines.every(({ status }) => status === 'ACSC');
      }),
    );
  const payByBank = async (): Promise<string> => {
    const id = await create();
    await payer.pay(id);
    await settled();
    await payments.pollBanks();
    const { body } = await aside(() => request('GET', `/api/payments/v1/payment-status/${id}`));
    const code = body.transactionDetails[0]?.statusDetails?.isoStatus.code;
    if (code !== 'ACSC') throw new Error(`${id} is ${code}`);
    return id;
  };
  /** Until the bank has the order; what it reports then comes by its own clock. */
  const refund = async (paymentRequestId: string): Promise<void> => {
    await request('POST', '/api/refund', { body: { paymentRequestId, amount: 2.5 } });
    await refunds.handOverRefunds();
    await transfers.submitBatches();
  };
  return { create, payByBank, refund };
};
