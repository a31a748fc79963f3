import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLongRun } from '../../harness/is-long-run.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const timeout = 90_000;
const patience = { withinMs: 30_000 };
const shop = { redirectUrl: 'https://shop.example/done', orderId: 'order-7' };

let journey: Journey;

beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const open = async (path: string) =>
  (await journey.sandbox.request('GET', path, { secret: null })).body;

type Start = { readonly id: string; readonly address: string };

/** A client refreshes its bank link: each is a payment of its own. */
const startByClient = async (id: string): Promise<Start> => {
  const { body, status } = await journey.sandbox.request(
    'POST',
    '/api/payments/v1/secure-payment-auth',
    {
      secret: null,
      body: {
        institutionId: 'mock-sandbox-v1',
        deviceOrigin: 'SDK_DESKTOP',
        paymentRequestSource: { paymentRequestId: id },
      },
    },
  );
  expect(status, JSON.stringify(body)).toBe(200);
  return { id: body.paymentIdempotencyId, address: body.authorisationUrl };
};

const approve = async ({ address }: Start, login?: string) =>
  journey.payer.comeBack((await journey.payer.approve(address, login)) ?? {});

const byPayment = (id: string) => [
  `/api/payments/payment-status/${id}?env=sandbox`,
  `/api/payments/v2/payment/${id}/status`,
  `/api/sdk-payment/status/${id}`,
];

const whole = async (id: string) =>
  (await journey.sandbox.request('GET', `/api/payments/v1/payment-status/${id}`)).body;

/** The parameters with which the page sends its payer back to the shop. */
const wayBack = async (id: string): Promise<URLSearchParams> => {
  const { text } = await journey.payer.visit(`/pay?paymentRequestId=${id}`);
  const address = /https:\/\/shop\.example\/done\?[^"'<\\ ]*/.exec(text)?.[0] ?? '';
  return new URL(address.replaceAll('&amp;', '&')).searchParams;
};

const starts = [
  ['the first', 0],
  ['the second', 1],
] as const;
// The other way round is in the long run.
describe.each(isLongRun ? starts : starts.slice(0, 1))(
  'two starts of which %s is approved',
  (_, approved) => {
    const twoStarts = async (login?: string) => {
      const id = await journey.create(shop);
      const starts = [await startByClient(id), await startByClient(id)] as const;
      const winner = starts[approved];
      const loser = starts[1 - approved] as Start;
      await approve(winner, login);
      return { id, winner, loser };
    };

    test('every status by the id of the other says that it is paid', { timeout }, async () => {
      const { id, winner, loser } = await twoStarts();
      await journey.becomes(id, 'COMPLETED ACSC');
      const expected = await open(byPayment(winner.id)[0] ?? '');
      expect(expected).toMatchObject({ status: 'COMPLETED', paymentIdempotencyId: winner.id });
      for (const path of byPayment(loser.id)) expect(await open(path), path).toEqual(expected);
    });

    test('the shop is told the id of the payment, signed', { timeout }, async () => {
      const { id, winner } = await twoStarts();
      await journey.becomes(id, 'COMPLETED ACSC');
      const { signature, signatureHash, transactionDetails } = await whole(id);
      expect(transactionDetails).toMatchObject([{ paymentIdempotencyId: winner.id }]);
      const flat = await open(`/api/payments/payment-status/${id}?type=request`);
      expect(flat).toMatchObject({ signature, signatureHash, paymentIdempotencyId: winner.id });
      expect(Object.fromEntries(await wayBack(id))).toMatchObject({
        status: 'COMPLETED',
        paymentIdempotencyId: winner.id,
        idempotency: winner.id,
        signature,
        signatureHash,
      });
    });

    longTest(
      'a failure is told too, to the payer, the shop and the other',
      { timeout },
      async () => {
        const { id, winner, loser } = await twoStarts('payee-closed');
        await journey.becomes(id, 'FAILED RJCT');
        for (const path of byPayment(loser.id))
          expect(await open(path), path).toMatchObject({ status: 'FAILED' });
        expect(await journey.payer.readPage(id)).toContain('No money');
        const back = Object.fromEntries(await wayBack(id));
        expect(back).toMatchObject({ status: 'FAILED', paymentIdempotencyId: winner.id });
        expect(await journey.eventsOf(id)).not.toContain('CANCELLED');
      },
    );

    longTest('the other brings its payer back to the paid page', { timeout }, async () => {
      const { id, loser } = await twoStarts();
      await journey.becomes(id, 'COMPLETED ACSC');
      const { location } = await approve(loser);
      expect((await journey.payer.visit(location)).text).toContain('Payment complete');
    });
  },
);

test('a card page that was closed for a bank answers with the bank payment', {
  timeout,
}, async () => {
  const id = await journey.create();
  const { body } = await journey.sandbox.request('POST', '/api/payments/v1/secure-payment-auth', {
    secret: null,
    body: {
      institutionId: 'rapyd',
      transactionType: 'CARD',
      deviceOrigin: 'SDK_MOBILE_APP',
      paymentRequestSource: { paymentRequestId: id },
    },
  });
  const { cardCheckoutId } = body;
  await approve(await startByClient(id));
  await waitUntil(
    async () => (await open(`/api/sdk-payment/status/${cardCheckoutId}`)).status === 'COMPLETED',
    patience,
  );
  const { location } = await journey.payer.visit(`/card-checkout?checkoutId=${cardCheckoutId}`);
  expect(location).toContain('event=paymentSuccessful');
});

test('a link that ran out before another was approved says that it is paid', {
  timeout,
}, async () => {
  const id = await journey.create({ expiresIn: 7_200_000 });
  const first = await startByClient(id);
  await journey.advance(29 * 60_000);
  const second = await startByClient(id);
  await journey.advance(2 * 60_000);
  await waitUntil(async () => (await open(byPayment(first.id)[0] ?? '')).status === 'CANCELLED');
  await approve(second);
  await journey.becomes(id, 'COMPLETED ACSC');
  expect(await open(byPayment(first.id)[0] ?? '')).toMatchObject({ status: 'COMPLETED' });
});

describe('a split bill', () => {
  const cookie = 'florin_payer=one-browser';

  const visit = async (path: string, form?: Readonly<Record<string, string>>) => {
    const reply = await fetch(new URL(path, journey.sandbox.url), {
      redirect: 'manual',
      headers: { cookie },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    return { location: reply.headers.get('location') ?? '', text: await reply.text() };
  };

  const fieldOf = (page: string, name: string): string => {
    const input = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(page)?.[0] ?? '';
    return /value="([^"]*)"/.exec(input)?.[1] ?? '';
  };

  /** On the page, in the browser of one payer. */
  const startShare = async (id: string): Promise<Start> => {
    const choice = { share: 'custom', shareAmount: '10', chosen: '1', again: '1' };
    const at = (more: object) =>
      visit(`/pay?${new URLSearchParams({ paymentRequestId: id, ...choice, ...more })}`);
    const total = fieldOf((await at({})).text, 'total');
    const institutionId = 'mock-sandbox-v1';
    const formToken = fieldOf((await at({ total, institutionId })).text, 'formToken');
    const form = { paymentRequestId: id, institutionId, formToken, ...choice, total };
    const { location: address } = await visit('/pay/start', form);
    return { id: (await newestOf(id)) ?? '', address };
  };

  const newestOf = async (id: string) =>
    (
      await journey.sandbox.tools.database.system<{ id: string }, { shown: string }>(
        {
          name: 'test_newest_payment',
          text: `select payment_idempotency_id as shown from attempt
            where payment_request_id = $1::uuid order by position desc limit 1`,
          valueNames: ['id'],
        },
        { id },
      )
    )[0]?.shown;

  test('a start answers with its own share, not with one paid before', { timeout }, async () => {
    const id = await journey.create({ ...shop, amount: 40, splitBill: true });
    const paidBefore = await startShare(id);
    await approve(paidBefore);
    const winner = await startShare(id);
    const loser = await startShare(id);
    await approve(winner);
    const paid = { status: 'COMPLETED', paymentIdempotencyId: winner.id };
    await waitUntil(
      async () => (await open(byPayment(winner.id)[0] ?? '')).status === 'COMPLETED',
      patience,
    );
    for (const path of byPayment(loser.id)) expect(await open(path), path).toMatchObject(paid);
    const page = await visit(`/pay?paymentRequestId=${id}&payment=${loser.id}`);
    expect(page.text).toContain('Payment complete');
    expect(page.text).toContain(winner.id);
  });

  test('an approval at the bank closes the card page of its payer', { timeout }, async () => {
    const id = await journey.create({ ...shop, amount: 40, splitBill: true });
    const atBank = await startShare(id);
    const choice = { share: 'custom', shareAmount: '10', chosen: '1', again: '1', way: 'card' };
    const at = (more: object) =>
      visit(`/pay?${new URLSearchParams({ paymentRequestId: id, ...choice, ...more })}`);
    const total = fieldOf((await at({})).text, 'total');
    const formToken = fieldOf((await at({ total })).text, 'formToken');
    const form = { paymentRequestId: id, method: 'CARD', formToken, ...choice, total };
    const { location: page } = await visit('/pay/start', form);
    expect(page).toContain(journey.sandbox.simulator.url);
    await approve(atBank);
    await waitUntil(
      async () => (await open(byPayment(atBank.id)[0] ?? '')).status === 'COMPLETED',
      patience,
    );
    expect(await journey.attemptsOf(id)).toMatchObject([
      { status: 'COMPLETED' },
      { status: 'CANCELLED', ended_reason: 'SUPERSEDED' },
    ]);
    const card = { cardNumber: '4242424242424242' };
    await journey.sandbox.rails.payerRail?.payByCard(page, card).catch(() => undefined);
    expect((await whole(id)).transactionDetails).toMatchObject([{ paidAmount: 10 }]);
  });
});
