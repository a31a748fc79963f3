import { openPayer } from '../../../test/harness/open-payer.ts';
import { openReceiver } from '../../../test/harness/open-receiver.ts';
import type { Product } from './product.ts';
import type { StandInBank } from './stand-in-bank.ts';

/** Payments by bank, each from the request to the webhook that says COMPLETED. */
export const openLives = async ({ port, demo }: Product, standIn: StandInBank | null) => {
  const completed = new Map<string, () => void>();
  const receiver = await openReceiver(({ json }, reply) => {
    reply.end('ok');
    receiver.received.length = 0;
    if (json?.status === 'COMPLETED') completed.get(json.paymentRequestId)?.();
  });
  const url = `http://127.0.0.1:${port}`;
  const call = async (secret: string, path: string, body: object) => {
    const reply = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    const answer = (await reply.json()) as { readonly paymentRequestId: string };
    if (!reply.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const listen = (secret: string) =>
    call(secret, '/api/webhook/v2/endpoints', { url: receiver.url, events: ['PAYMENTS_STATUS'] });
  let secrets: readonly string[] = [demo.sandboxSecret];
  await listen(demo.sandboxSecret);
  const payer = openPayer(url);
  let made = 0;
  const live = async (): Promise<void> => {
    made += 1;
    const order = { customerId: `customer-${made}`, orderId: `order-${made}`, amount: 12.5 };
    const secret = secrets[made % secrets.length] ?? '';
    const { paymentRequestId: id } = await call(secret, '/api/payments/process-payment', order);
    const told = new Promise<void>((resolve) => completed.set(id, resolve));
    const address = await payer.start(id);
    const brought = (await standIn?.approve(address)) ?? (await payer.approve(address));
    if (!brought) throw new Error('the bank did not send the payer back');
    await payer.comeBack(brought);
    await told;
    completed.delete(id);
  };
  return {
    live,
    /** From now on these merchants are paid, in turns. */
    ofMerchants: async (others: readonly string[]): Promise<void> => {
      for (const secret of others) await listen(secret);
      secrets = others;
    },
    close: receiver.close,
  };
};

/** So many, some at once. */
export const liveTogether = async (
  live: () => Promise<void>,
  count: number,
  atOnce: number,
): Promise<void> => {
  let started = 0;
  const lane = async () => {
    for (; started < count; ) {
      started += 1;
      await live();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
};
