import type { ServerResponse } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../../../test/harness/browser/open-browser.ts';
import { renderCheckout } from '../render-checkout.ts';
import { renderNotice } from '../render-notice.ts';
import {
  sampleChooseBank,
  sampleReview,
  sampleSummary,
  sampleViews,
} from '../test/sample-views.ts';
import { assetUrls, type PageServer, page, servePages } from '../test/serve-pages.ts';
import { focusedTag, openAddress, serveQuietEvents, type Visit, visit } from '../test/visit.ts';

let browser: Browser;
let server: PageServer;
let visited: Visit | null = null;

beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), servePages()]);
});

afterEach(async () => {
  await visited?.close();
  visited = null;
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const noticeAddress = { locale: 'en', here: '/bank-return' } as const;
type View = Parameters<typeof renderCheckout>[0];

const serve = (view: View): void => {
  server.answers.set('GET /pay', page(renderCheckout(view, assetUrls())));
};

const tab = async (options = {}): Promise<Page> => {
  visited = await visit(browser, options);
  return visited.page;
};

const start = async (view: View, options = {}): Promise<Page> => {
  serve(view);
  serveQuietEvents(server);
  const opened = await tab(options);
  await openAddress(opened, `${server.origin}/pay`);
  return opened;
};

const heading = (of: Page) => of.locator('h1').textContent();

test('typing filters the banks; without a hit Enter leads to the card', async () => {
  const at = await start(sampleViews['choose-bank-or-card']);
  const shown = at.locator('.bank:visible');
  const all = await shown.count();
  await at.fill('#search', 'habour');
  expect(await shown.allTextContents()).toEqual([expect.stringContaining('Harbour & Quay')]);
  expect(await at.locator('.counted').textContent()).toBe('1 bank found for “habour”');
  await at.fill('#search', '');
  expect([await shown.count(), await at.locator('.empty').isVisible()]).toEqual([all, false]);
  await at.fill('#search', 'zzzz');
  expect(await at.locator('.empty').textContent()).toContain('No bank matches');
  await at.press('#search', 'Enter');
  await at.waitForURL(/way=card/);
});

test('the account kind filters the list, without a script too', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const at = await start(sampleChooseBank, { javaScriptEnabled });
    await at.check('input[value=business]', { force: true });
    const names = await at.locator('.bank:visible').allTextContents();
    expect(names.join()).toContain('Copperleaf Business');
    expect(names.join()).not.toContain('Orchard');
    await visited?.close();
  }
});

test('a change shows the new page, and "back" does not lead to the old one', async () => {
  const streams: ServerResponse[] = [];
  server.answers.set('GET /pay/events', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    streams.push(response);
    response.write('event: state\ndata: {"version":3}\n\n');
  });
  serve(sampleViews.waiting);
  const at = await tab();
  await openAddress(at, `${server.origin}/pay`);
  await expect.poll(() => streams.length).toBe(1);
  expect(await heading(at)).toContain('Waiting');
  serve(sampleViews.paid);
  streams[0]?.write('event: state\ndata: {"page":"RESULT","version":4}\n\n');
  await at.waitForSelector('text=Payment complete');
  await expect.poll(() => focusedTag(at)).toBe('H1');
  expect(await at.evaluate<number>('history.length')).toBe(2);
});

test('a waiting page without events polls', async () => {
  server.answers.set('GET /pay/events', (_, response) => {
    response.writeHead(503).end();
  });
  serve(sampleViews.waiting);
  const at = await tab();
  await at.clock.install();
  await openAddress(at, `${server.origin}/pay`);
  serve(sampleViews.paid);
  await at.clock.runFor(16_000);
  await at.waitForSelector('text=Payment complete');
});

test('a waiting page without a script refreshes itself', async () => {
  const at = await start(sampleViews.waiting, { javaScriptEnabled: false });
  serve(sampleViews.paid);
  await at.waitForSelector('text=Payment complete');
});

test('the timer announces 60, 30 and 20 seconds, offers more time and reloads at the end', async () => {
  serve({ ...sampleChooseBank, summary: { ...sampleSummary, now: '2026-05-04T13:33:55.000Z' } });
  serveQuietEvents(server);
  const at = await tab();
  await at.clock.install();
  await openAddress(at, `${server.origin}/pay`);
  const said = () => at.locator('[data-said]').textContent();
  const offer = at.locator('[data-more-time]');
  await expect.poll(() => at.locator('.timer [data-clock]').textContent()).toMatch(/^1:0[0-5]$/);
  expect([await said(), await offer.isVisible()]).toEqual(['', false]);
  await at.clock.runFor(6_000);
  expect(await said()).toBe('Time left: 1 minute');
  await at.clock.runFor(20_000);
  expect([await said(), await offer.isVisible()]).toEqual(['Time left: 1 minute', false]);
  await at.clock.runFor(10_000);
  expect(await said()).toBe('Time left: 30 seconds. Do you need more time?');
  expect(await offer.isVisible()).toBe(true);
  await at.clock.runFor(10_000);
  expect(await said()).toBe('Time left: 20 seconds. Do you need more time?');
  serve(sampleViews.expired);
  await at.clock.runFor(21_000);
  await at.waitForSelector('text=This payment has expired');
});

test('more time is requested with the fields that the server needs, without a script too', async () => {
  const late = { ...sampleSummary, now: '2026-05-04T13:34:45.000Z' };
  for (const javaScriptEnabled of [true, false]) {
    const at = await start({ ...sampleReview, summary: late }, { javaScriptEnabled });
    const requests = at.waitForRequest('**/pay/more-time');
    server.answers.set('POST /pay/more-time', (_, response) => {
      response.writeHead(303, { location: '/pay' }).end();
    });
    await at.click('text=Get more time');
    expect(
      Object.fromEntries(new URLSearchParams((await requests).postData() ?? '')),
    ).toMatchObject({
      paymentRequestId: sampleReview.frame.paymentRequestId,
      formToken: 'more-token',
      institutionId: 'harbour',
      locale: 'en',
    });
    await visited?.close();
  }
});

test('a page that leaves for the bank shows it and starts once', async () => {
  const streams: ServerResponse[] = [];
  const starts: ServerResponse[] = [];
  server.answers.set('GET /pay/events', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: state\ndata: {"version":3}\n\n');
    streams.push(response);
  });
  server.answers.set('POST /pay/start', (_, response) => {
    starts.push(response);
  });
  server.answers.set('GET /bank', page('<h1>The bank</h1>'));
  serve(sampleReview);
  const at = await tab();
  await openAddress(at, `${server.origin}/pay`);
  serve(sampleViews.waiting);
  const other = await at.context().newPage();
  await openAddress(other, `${server.origin}/pay`);
  await expect.poll(() => streams.length).toBe(2);
  expect(await at.evaluate<string>(pressTwice)).toBe('Opening Harbour & Quay…');
  await expect.poll(() => starts.length).toBe(1);
  serve(sampleViews.paid);
  for (const stream of streams) stream.write('event: state\ndata: {"version":4}\n\n');
  await other.waitForSelector('text=Payment complete');
  starts[0]?.writeHead(303, { location: '/bank' }).end();
  await at.waitForSelector('text=The bank');
  expect(starts).toHaveLength(1);
});

test('a change elsewhere does not interrupt a payer whose next page is loading', async () => {
  const streams: ServerResponse[] = [];
  server.answers.set('GET /pay/events', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: state\ndata: {"version":3}\n\n');
    streams.push(response);
  });
  serve(sampleChooseBank);
  const at = await tab();
  await openAddress(at, `${server.origin}/pay`);
  await expect.poll(() => streams.length).toBe(1);
  const other = await at.context().newPage();
  await openAddress(other, `${server.origin}/pay`);
  await expect.poll(() => streams.length).toBe(2);
  const requests: (readonly [string | null, ServerResponse])[] = [];
  server.answers.set('GET /pay', (_, response, url) => {
    requests.push([url.searchParams.get('institutionId'), response]);
  });
  await at.evaluate('document.querySelector(".bank a").click()');
  await expect.poll(() => requests.map(([bank]) => bank)).toEqual(['mock']);
  for (const stream of streams) stream.write('event: state\ndata: {"version":4}\n\n');
  await expect.poll(() => requests.map(([bank]) => bank)).toEqual(['mock', null]);
  for (const [bank, response] of requests)
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Shown: ${bank}</h1>`);
  await at.waitForSelector('text=Shown: mock');
  expect(requests).toHaveLength(2);
});

const pressTwice = `(() => {
  const button = document.querySelector('[data-start] button');
  button.click();
  button.click();
  return button.textContent;
})()`;

test('a review page posts itself with a script, and waits for the payer without one', async () => {
  server.answers.set('POST /pay/start', (_, response) => {
    response.writeHead(303, { location: '/bank' }).end();
  });
  server.answers.set('GET /bank', page('<h1>The bank</h1>'));
  serve({ ...sampleReview, postsItself: true });
  serveQuietEvents(server);
  const at = await tab();
  await at.goto(`${server.origin}/pay`, { waitUntil: 'commit' });
  await at.waitForSelector('text=The bank');
  await visited?.close();
  const still = await start({ ...sampleReview, postsItself: true }, { javaScriptEnabled: false });
  expect(await heading(still)).toBe('Check your payment');
});

test('posts the answer in the fragment and removes it from the address', async () => {
  const notice = renderNotice({ page: 'FRAGMENT_RETURN' }, assetUrls(), noticeAddress);
  server.answers.set('GET /bank-return', page(notice));
  let posted = '';
  server.answers.set('POST /bank-return', (request, response) => {
    request.on('data', (chunk) => {
      posted += chunk;
    });
    request.on('end', () => response.writeHead(303, { location: '/done' }).end());
  });
  server.answers.set('GET /done', page('<h1>Done</h1>'));
  const at = await tab();
  await at.goto(`${server.origin}/bank-return#code=a%26b&state=s+1&id_token=x.y.z`, {
    waitUntil: 'commit',
  });
  await at.waitForSelector('text=Done');
  expect(Object.fromEntries(new URLSearchParams(posted))).toEqual({
    code: 'a&b',
    state: 's 1',
    id_token: 'x.y.z',
  });
  await at.goBack({ waitUntil: 'commit' }).catch(() => null);
  expect(at.url()).not.toContain('code=');
});

test('says that no money moved when a fragment cannot be read without a script', async () => {
  const body = renderNotice(
    { page: 'FRAGMENT_RETURN', payUrl: '/pay' },
    assetUrls(),
    noticeAddress,
  );
  server.answers.set('GET /bank-return', page(body));
  const at = await tab({ javaScriptEnabled: false });
  await openAddress(at, `${server.origin}/bank-return#code=x`);
  expect(await heading(at)).toContain('Your bank’s answer could not be read');
  expect(await at.locator('.scripted:visible').count()).toBe(0);
  expect(await at.locator('main').textContent()).toContain('No money has left your account.');
  expect(await at.locator('main a').getAttribute('href')).toBe('/pay');
});

test('a paid page returns to the merchant unless the payer stays', async () => {
  const returnTo = { url: `${server.origin}/thanks` };
  server.answers.set('GET /thanks', page('<h1>Thanks</h1>'));
  serve({ ...sampleViews['paid-returning'], returnTo });
  const at = await tab({ viewport: { width: 320, height: 568 } });
  await at.clock.install();
  for (const stay of ['document.querySelector("[data-stay]").click()', 'scrollTo(0, 200)']) {
    await at.goto(`${server.origin}/pay`);
    await at.evaluate(stay);
    await at.locator('[data-stay]').waitFor({ state: 'hidden' });
    await at.clock.runFor(20_000);
    expect(await heading(at)).toBe('Payment complete');
  }
  await at.goto(`${server.origin}/pay`);
  await at.clock.runFor(9_000);
  await at.waitForSelector('text=Thanks');
});
