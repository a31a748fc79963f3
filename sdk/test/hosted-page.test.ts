import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rails } from '../../service/src/programs/wiring/open-rails.ts';
import type { BankRail } from '../../service/src/rails/bank-rail.ts';
import { unpackChromium } from '../../test/harness/browser/unpack-chromium.ts';
import { longTest } from '../../test/harness/long-test.ts';
import { type Journey, openJourney } from '../../test/harness/open-journey.ts';
import { type DartProgram, startProgram, whyNoDart } from './run-dart.ts';

type Line = Readonly<Record<string, unknown>>;

const shop = 'https://shop.example/thanks?order=7';
const bank = 'a[href*="institutionId=mock-sandbox-v1"]';
// Of the chosen bank: before its page is there, the one in view has forms of other ways.
const go = 'form[data-start]:has([name=institutionId]) button';

const appBank = 'kestrel-sandbox';
let appBankAddress = '';

/** One of the simulated banks authorises in its app only. */
const withAppBank = (rails: Rails): Rails => {
  const inApp = (rail: BankRail): BankRail => ({
    ...rail,
    institutions: () =>
      rail
        .institutions()
        .map((each) => (each.id === appBank ? { ...each, appScheme: 'kestrelapp:' } : each)),
    createConsent: async (order) => {
      const answer = await rail.createConsent(order);
      if (order.institutionId !== appBank || !('authorisationUrl' in answer)) return answer;
      const [address = '', query] = answer.authorisationUrl.split('?');
      appBankAddress = address;
      return { ...answer, authorisationUrl: `kestrelapp://authorise?${query}` };
    },
  });
  const { find, need } = rails.bankRails;
  const found = (environment: Parameters<typeof find>[0]) => {
    const rail = find(environment);
    return rail && inApp(rail);
  };
  return { ...rails, bankRails: { find: found, need: (environment) => inApp(need(environment)) } };
};

let journey: Journey;
let dart: DartProgram;

const payersInApps = () => {
  beforeAll(async () => {
    const [opened, chromium] = await Promise.all([
      openJourney(undefined, withAppBank),
      unpackChromium(),
    ]);
    journey = opened;
    const { executablePath, environment } = chromium;
    const args = [journey.sandbox.url, executablePath, JSON.stringify(environment)];
    dart = await startProgram('payer', args);
  });

  afterAll(async () => {
    const { code, said } = await dart.end();
    await journey.close();
    expect(code, said).toBe(0);
  });

  const create = (more: object = {}) =>
    journey.create({ redirectUrl: shop, callbackParams: { basket: 'b-1' }, ...more });

  const ask = async (order: object): Promise<Line> => {
    dart.tell(order);
    return dart.next();
  };

  /** What the program told of a payment up to the line that was waited for. */
  const follow = (id: string) => {
    const told: Line[] = [];
    const next = async (): Promise<Line> => {
      const line = await dart.next();
      if (line.id === id) told.push(line);
      return line.id === id ? line : next();
    };
    const until = async (isIt: (line: Line) => boolean): Promise<Line> => {
      const line = await next();
      return isIt(line) ? line : until(isIt);
    };
    /** It may have been told already, while something else was waited for. */
    const seen = async (isIt: (line: Line) => boolean, times = 1): Promise<Line> => {
      const found = told.filter(isIt)[times - 1];
      if (found) return found;
      await next();
      return seen(isIt, times);
    };
    let openings = 0;
    const opened = async (): Promise<string> => {
      openings += 1;
      return String((await seen((line) => 'opened' in line, openings)).opened);
    };
    const step = async (name: string, more: object = {}) => {
      dart.tell({ do: name, id, ...more });
      return until((line) => line.done === name || 'read' in line);
    };
    return {
      told,
      seen,
      step,
      opened,
      press: (selector: string) => step('press', { selector }),
      result: () => seen((line) => 'result' in line),
    };
  };

  const pay = (id: string, more: object = {}) => {
    dart.tell({ do: 'pay', id, ...more });
    return follow(id);
  };

  const kinds = (told: readonly Line[], name: string) =>
    told.flatMap((line) => (name in line ? [line[name]] : []));

  test('reads what the server says of a request, in its own environment only', async () => {
    const id = await create();
    expect(await ask({ do: 'describe', id })).toEqual({ lastBankId: null });
    expect(await ask({ do: 'describe', id, env: 'prod' })).toMatchObject({
      error: 'wrongEnvironment',
    });
    expect(await ask({ do: 'describe', id: randomUUID() })).toMatchObject({ error: 'notFound' });
    expect(await ask({ do: 'status', id })).toMatchObject({
      details: { status: 'PAYMENT_NOT_INITIATED', message: 'Payment not initiated' },
    });
    await journey.payer.pay(id);
    await journey.becomes(id, 'COMPLETED .*');
    expect(await ask({ do: 'describe', id })).toEqual({ error: 'alreadyPaid', amount: 12.5 });
    expect(await ask({ do: 'status', id })).toMatchObject({ details: { status: 'COMPLETED' } });
  });

  test('pays: steps first, no tips, the bank outside, every change told once', async () => {
    const id = await create();
    const it = pay(id, { showHowPaymentWorks: true });
    await it.step('see', { text: 'What happens next' });
    await it.press('.actions a.button');
    await it.press(bank);
    await it.press(go);
    const address = await it.opened();
    await it.step('see', { text: 'You started a payment with' });
    const returned = await journey.payer.approve(address);
    const answer = await journey.payer.comeBack(returned ?? {});
    const { result, isCompleted } = await it.result();
    expect({ result, isCompleted }).toMatchObject({
      result: { paymentRequestId: id, status: 'COMPLETED', paidAmount: 12.5, tipAmount: 0 },
      isCompleted: true,
    });
    const { paymentIdempotencyId, signature, signatureHash } = result as Record<string, string>;
    expect(kinds(it.told, 'status').at(-1)).toBe('COMPLETED');
    expect(new Set(kinds(it.told, 'status')).size).toBe(kinds(it.told, 'status').length);
    expect(it.told.findLast((line) => 'status' in line)).toMatchObject({
      redirectUrlParams: { basket: 'b-1' },
      signature: expect.stringMatching(/^[0-9a-f]{64}$/),
      signatureHash,
    });
    expect(signature).toMatch(/^[0-9a-f]{64}$/);
    expect(kinds(it.told, 'error')).toEqual([]);
    expect(kinds(it.told, 'userClose')).toEqual([]);
    expect(kinds(it.told, 'sheet')).toEqual(['closed']);
    // The bank sends the payer's own browser on, and from there back into the app.
    const page = await journey.payer.visit(answer.location);
    const [, back = ''] = /href="(https:\/\/shop\.example[^"]*)"/.exec(page.text) ?? [];
    const parameters = new URL(back.replaceAll('&amp;', '&')).searchParams;
    expect(Object.fromEntries(parameters)).toMatchObject({
      idempotency: paymentIdempotencyId,
      redirectUrl: shop,
      amount: '12.5',
    });
  });

  longTest('is dismissed before a start: nothing is answered, and nothing told', async () => {
    const it = pay(await create());
    await it.step('see', { text: 'Choose your bank' });
    await it.step('close');
    expect(await it.result()).toMatchObject({ result: null });
    expect([kinds(it.told, 'userClose'), kinds(it.told, 'status')]).toEqual([[], []]);
  });

  test('closes while the bank has the payment: told, with what is known', async () => {
    const id = await create();
    const it = pay(id);
    await it.press(bank);
    await it.press(go);
    await it.opened();
    await it.seen((line) => line.status === 'AWAITING_AUTHORIZATION');
    dart.tell({ do: 'close', id });
    expect(await it.result()).toMatchObject({ result: { status: 'AWAITING_AUTHORIZATION' } });
    expect(kinds(it.told, 'userClose')).toEqual([id]);
  });

  longTest('declines, tries again on the same page, and pays', async () => {
    const id = await create();
    const it = pay(id);
    await it.press(bank);
    await it.press(go);
    const declined = await journey.payer.approve(await it.opened(), 'decline');
    await journey.payer.comeBack(declined ?? {});
    await it.step('see', { text: 'The payment was not approved at your bank.' });
    await it.press(bank);
    await it.press(go);
    await journey.payer.comeBack((await journey.payer.approve(await it.opened())) ?? {});
    expect(await it.result()).toMatchObject({ isCompleted: true });
  });

  longTest('without another try a refused payment is the answer', async () => {
    const id = await create({ allowRetry: false });
    const it = pay(id);
    await it.press(bank);
    await it.press(go);
    const failed = await journey.payer.approve(await it.opened(), 'decline');
    await journey.payer.comeBack(failed ?? {});
    const { result } = await it.result();
    expect(result).toMatchObject({ status: expect.stringMatching(/FAILED|CANCELLED/) });
    expect(kinds(it.told, 'error')).toEqual([]);
  });

  longTest('pays a share of a split bill, and the rest with another payment', async () => {
    const id = await create({ splitBill: true, amount: 20 });
    const payShare = async (share: 'equal' | 'rest') => {
      const it = pay(id);
      await it.press(`[name=share][value=${share}]`);
      await it.press('form[data-amounts] .bar button');
      await it.press(bank);
      await it.press(go);
      await journey.payer.comeBack((await journey.payer.approve(await it.opened())) ?? {});
      return it.result();
    };
    const [first, second] = [await payShare('equal'), await payShare('rest')];
    for (const { result, isCompleted } of [first, second])
      expect({ result, isCompleted }).toMatchObject({
        result: { paidAmount: 10, status: 'COMPLETED' },
        isCompleted: true,
      });
    await journey.becomes(id, 'COMPLETED .*');
  });

  longTest('opens a bank that has an app only by the scheme of the app', async () => {
    const id = await create();
    const it = pay(id);
    await it.press(`a[href*="institutionId=${appBank}"]`);
    await it.press(go);
    const address = await it.opened();
    expect(address).toMatch(/^kestrelapp:\/\/authorise\?/);
    const atBank = `${appBankAddress}?${address.split('?')[1]}`;
    await journey.payer.comeBack((await journey.payer.approve(atBank)) ?? {});
    expect(await it.result()).toMatchObject({ isCompleted: true });
  });

  longTest('a request that is cancelled meanwhile ends by itself', async () => {
    const id = await create();
    const it = pay(id);
    await it.step('see', { text: 'Choose your bank' });
    await journey.sandbox.request('POST', `/api/payment-request/cancel/${id}`);
    expect(await it.result()).toMatchObject({ result: { status: 'CANCELLED' } });
  });

  longTest('a card is entered outside as well', async () => {
    const id = await create({ paymentMethod: ['CARD'] });
    const it = pay(id);
    const address = await it.opened();
    await journey.sandbox.rails.payerRail?.payByCard(address, { cardNumber: '4242424242424242' });
    expect(await it.result()).toMatchObject({ isCompleted: true });
  });

  longTest('knows the bank of a customer who is who they say', async () => {
    const consumerDetails = { email: 'ada@example.com' };
    const before = await create({ consumerDetails });
    await journey.payer.pay(before);
    await journey.becomes(before, 'COMPLETED .*');
    const id = await create({ consumerDetails });
    const it = pay(id, { email: 'ada@example.com' });
    await it.step('see', { text: 'Check your payment' });
    await it.step('close');
    await it.result();
  });

  longTest('links that leave the page open outside, and the page stays', async () => {
    const it = pay(await create());
    await it.step('see', { text: 'Choose your bank' });
    const script = "location.href = 'https://elsewhere.example/'; true";
    await it.step('read', { script });
    await it.seen((line) => line.prevented === 'https://elsewhere.example/');
    expect(await it.step('read', { script: 'location.pathname' })).toMatchObject({ read: '/pay' });
    await it.step('close');
    await it.result();
  });
};

const why = whyNoDart();
if (why === null) describe('a payer in an app', { timeout: 90_000 }, payersInApps);
else test('says why it cannot run here', () => expect(why).toContain('Linux x64'));
