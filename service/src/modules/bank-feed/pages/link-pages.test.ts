import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseForms } from '../../../platform/http/input/read-json.ts';
import { useCookies } from '../../../platform/http/use-cookies.ts';
import { formTokens } from '../../checkout/index.ts';
import { type Feed, openFeed, returnUrl } from '../test/open-feed.ts';
import { linkPageRoutes } from './link-page-routes.ts';

let feed: Feed;
beforeAll(async () => {
  feed = await openFeed();
  await feed.app.register(async (pages) => {
    parseForms(pages);
    useCookies(pages, { isSecure: false });
    const key = feed.tools.secrets.keyFor('checkout-form');
    linkPageRoutes(pages, {
      ...feed.tools,
      operator: { operatorName: 'Florin Payments' },
      formTokens: formTokens(key),
    });
  });
});
beforeEach(() => feed.reset());
afterAll(() => feed.close());

const dayMs = 24 * 60 * 60 * 1000;

type Page = { readonly status: number; readonly html: string; readonly location: string };
const visit = async (path: string, form?: Record<string, string>): Promise<Page> => {
  const reply = await feed.app.inject({
    method: form ? 'POST' : 'GET',
    url: path,
    headers: form ? { 'content-type': 'application/x-www-form-urlencoded' } : {},
    ...(form ? { payload: new URLSearchParams(form).toString() } : {}),
  });
  const location = String(reply.headers.location ?? '');
  return { status: reply.statusCode, html: reply.body, location };
};

const plain = (html: string): string =>
  html
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ');

/** The fields of the form that posts there. */
const formOf = (html: string, action: string): Record<string, string> => {
  const form = new RegExp(`<form[^>]*action="${action}"[\\s\\S]*?</form>`).exec(html)?.[0] ?? '';
  const fields = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
};
const press = (html: string, action: string, changes: Record<string, string> = {}) =>
  visit(action, { ...formOf(html, action), ...changes });
const pathOf = (id: string, more = '') => `/link-bank?accountAuthId=${id}${more}`;
const backOf = (location: string) => Object.fromEntries(new URL(location).searchParams);

describe('a customer', () => {
  test('chooses a bank, reads what is shared, agrees, and returns with the accounts', async () => {
    const id = await feed.initiated({ callbackParams: { user: 7 } });
    const choice = await visit(pathOf(id));
    expect(choice.status).toBe(200);
    expect(plain(choice.html)).toContain('Corner Coffee would like to see your bank account');
    expect(choice.html).toContain('institutionId=mock-sandbox-v1');
    expect(choice.html).not.toContain('institutionId=scripted-bank-down');
    expect(plain((await visit(pathOf(id, '&search=scri'))).html)).not.toContain('mock-sandbox-v1');
    const consent = await visit(pathOf(id, '&institutionId=mock-sandbox-v1'));
    for (const said of [
      'You let Corner Coffee on behalf of Florin Payments read from Mock:',
      'sort code and account number',
      'Balances',
      'Transactions of the last 24 months',
      'for the service that you asked for. It cannot be used to make a payment',
      'You confirm it every 90 days',
      'You can end it at any time',
    ])
      expect(plain(consent.html)).toContain(said);
    expect(await feed.status(id)).toBe('OPEN');
    const started = await press(consent.html, '/link-bank/start');
    expect([started.status, new URL(started.location).pathname]).toEqual([
      303,
      '/link-bank/test-bank',
    ]);
    const login = await visit(
      new URL(started.location).pathname + new URL(started.location).search,
    );
    const approve =
      /href="(\/bank-link-return[^"]*code=approved[^"]*)"/.exec(login.html)?.[1] ?? '';
    const returned = await visit(approve.replaceAll('&amp;', '&'));
    expect(returned.status).toBe(303);
    expect(returned.location.startsWith(`${returnUrl}?`)).toBe(true);
    expect(backOf(returned.location)).toMatchObject({
      status: 'SUCCESS',
      accountAuthId: id,
      user: '7',
    });
    expect(backOf(returned.location).bankAccountIds?.split(',')).toHaveLength(2);
  });

  test('goes back without an account, and the link is over', async () => {
    const id = await feed.initiated();
    const { html } = await visit(pathOf(id));
    const cancelled = await press(html, '/link-bank/cancel');
    const back = await visit(cancelled.location);
    expect([back.status, backOf(back.location).status]).toEqual([303, 'CANCELLED']);
    expect(await feed.status(id)).toBe('CANCELLED');
  });

  test('with an expired link is sent back', async () => {
    const id = await feed.initiated();
    await feed.rows(
      `update bank_authorisation set link_expires_at = statement_timestamp() - interval '1 day'`,
    );
    const back = await visit(pathOf(id));
    expect([back.status, backOf(back.location).status]).toEqual([303, 'EXPIRED']);
    expect(await feed.status(id)).toBe('EXPIRED');
  });

  test('is offered another bank when one cannot be reached', async () => {
    const id = await feed.initiated();
    feed.bank.answers.consent = 'UNKNOWN';
    const consent = await visit(pathOf(id, '&institutionId=scripted-bank'));
    const started = await press(consent.html, '/link-bank/start');
    expect(started.location).toContain('failed=scripted-bank');
    const again = await visit(started.location);
    expect(plain(again.html)).toContain('scripted-bank cannot be reached right now');
  });

  test('confirms again, also after it was missed', async () => {
    const { id } = await feed.linked('scripted-bank');
    const page = await visit(pathOf(id));
    expect(plain(page.html)).toContain('Connected to scripted-bank');
    expect(plain(page.html)).toContain('20-00-00 ••••1111');
    expect(page.html).not.toContain('11111111');
    await feed.advance(91 * dayMs);
    const missed = await visit(pathOf(id));
    expect(plain(missed.html)).toContain('can no longer read your accounts');
    const confirmed = await press(missed.html, '/link-bank/confirm');
    expect(plain((await visit(confirmed.location)).html)).toContain('may read your accounts until');
    expect(await feed.status(id)).toBe('LINKED');
  });

  test('ends the access', async () => {
    const { id, accountId } = await feed.linked('scripted-bank');
    const page = await visit(pathOf(id));
    const ended = await press(page.html, '/link-bank/end');
    expect(plain((await visit(ended.location)).html)).toContain('Access has ended');
    expect(await feed.status(id)).toBe('REVOKED');
    expect((await feed.transactions(accountId)).status).toBe(409);
  });

  test('finds on each page where the merchant helps', async () => {
    await feed.rows(
      `update merchant set support_email = 'help@shop.example', support_phone = '020 7946 0000',
         support_url = 'https://shop.example/help' where merchant_id = $1`,
      [feed.sandbox.merchantId],
    );
    const id = await feed.initiated();
    const { id: linkedId } = await feed.linked('scripted-bank');
    const linked = await visit(pathOf(linkedId));
    const ended = await press(linked.html, '/link-bank/end');
    const pages = [
      await visit(pathOf(id)),
      await visit(pathOf(id, '&institutionId=scripted-bank')),
      await visit(pathOf(id, '&failed=scripted-bank')),
      linked,
      await visit(ended.location),
    ];
    for (const { html } of pages) {
      expect(html).toContain('href="mailto:help@shop.example"');
      expect(html).toContain('href="tel:02079460000"');
      expect(html).toContain('href="https://shop.example/help"');
      expect(plain(html)).toContain('Corner Coffee');
    }
  });

  test('reads the page in another language', async () => {
    const id = await feed.initiated();
    const { html } = await visit(pathOf(id, '&locale=cy'));
    expect(html).toContain('<html lang="cy"');
    expect(plain(html)).toContain('Cysylltu eich cyfrif banc');
    expect(html).toContain('locale=ar');
  });
});

describe('nothing happens', () => {
  test('by reading a page, or by a form that is not ours', async () => {
    const id = await feed.initiated();
    await visit(pathOf(id, '&institutionId=scripted-bank'));
    expect(feed.bank.calls).toEqual([]);
    for (const action of ['start', 'cancel', 'confirm', 'end']) {
      const form = { accountAuthId: id, institutionId: 'scripted-bank', formToken: 'x' };
      const reply = await visit(`/link-bank/${action}`, form);
      expect([reply.status, reply.location]).toEqual([
        303,
        `/link-bank?accountAuthId=${id}&locale=en`,
      ]);
    }
    expect(await feed.status(id)).toBe('OPEN');
    expect(feed.bank.calls).toEqual([]);
  });

  test.each([
    ['/link-bank', 404],
    ['/link-bank?accountAuthId=x', 404],
    ['/link-bank?accountAuthId=00000000-0000-4000-8000-000000000000', 404],
    ['/link-bank/test-bank?state=abcdefghijklmnopqrst', 404],
    ['/link-bank/test-bank', 404],
    ['/bank-link-return?state=abc&code=1', 400],
    ['/bank-link-return?state=abcdefghijklmnopqrst&code=1', 400],
  ])('at %s', async (path, status) => {
    expect((await visit(path)).status).toBe(status);
  });

  test('without the answer in the address: a script brings it', async () => {
    const { status, html } = await visit('/bank-link-return');
    expect(status).toBe(200);
    expect(html).toContain('data-fragment="/bank-link-return"');
  });

  test('while the keys of the bank cannot be read', async () => {
    const id = await feed.initiated();
    const consent = await visit(pathOf(id, '&institutionId=scripted-bank'));
    const { location } = await press(consent.html, '/link-bank/start');
    const state = new URL(location).searchParams.get('state') ?? '';
    const form = { state, code: 'code', keys: 'away' };
    expect((await visit('/bank-link-return', form)).status).toBe(503);
    expect(await feed.status(id)).toBe('AT_BANK');
    const returned = await visit('/bank-link-return', { state, code: 'code' });
    expect(backOf(returned.location).status).toBe('SUCCESS');
  });
});
