import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  openTestSimulator,
  redirectUri,
  type TestSimulator,
} from '../../../../test/harness/simulator/open-test-simulator.ts';
import { type HonestClient, honestClient } from '../../testing/honest-client.ts';
import { consentBody, createConsent, exchange } from '../../testing/payment-steps.ts';
import { decide, logIn, openBrowser } from '../../testing/visit-bank.ts';

let simulator: TestSimulator;
let client: HonestClient;

beforeAll(async () => {
  simulator = await openTestSimulator();
  client = await honestClient(simulator.trustFolder, 'copperleaf-sandbox');
});
afterAll(async () => {
  await client?.close();
  await simulator?.close();
});

const startVisit = async (consent = consentBody()) => {
  const { consentId } = await createConsent(client, consent);
  const visit = await client.authorisationUrl(consentId);
  const browser = openBrowser();
  return { visit, browser, login: await browser.visit(visit.url) };
};

test('the approval shows payee and amount, and escapes markup', async () => {
  const consent = consentBody('1234.50', { reference: '<b>42</b> & more' });
  const { browser, login } = await startVisit(consent);
  const page = await logIn(browser, login, 'some customer');
  expect(page.text).toContain('£1,234.50');
  expect(page.text).toContain('Corner Coffee Ltd');
  expect(page.text).toContain('18-00-02 00000190');
  expect(page.text).not.toContain('<b>42');
  expect([...page.text.matchAll(/type="radio"/g)]).toHaveLength(2);
});

test('a double submit redirects to the same address with one code', async () => {
  const { visit, browser, login } = await startVisit();
  const page = await logIn(browser, login, 'approve');
  const [one, two] = await Promise.all([decide(browser, page, {}), decide(browser, page, {})]);
  const returned = [one, two].find((each) => each.url.startsWith(redirectUri));
  expect(returned).toBeDefined();
  for (const each of [one, two]) expect(each.status).toBeLessThan(500);
  await exchange(client, visit, returned?.url ?? '');
});

test('the back button after the decision shows a page that explains it', async () => {
  const { browser, login } = await startVisit();
  const approval = await logIn(browser, login, 'approve');
  await decide(browser, approval, {});
  const again = await decide(browser, approval, {});
  expect([again.status, again.url.startsWith(redirectUri)]).toEqual([410, false]);
  expect(again.text).toContain('This page has ended');
  expect((await browser.visit(login.url)).status).toBe(410);
});

test('the login is prefilled with a known hint only', async () => {
  const shown = async (hint: string) => {
    const { consentId } = await createConsent(client, consentBody());
    const visit = await client.authorisationUrl(consentId, hint);
    const { text } = await openBrowser().visit(visit.url);
    return /name="username"[^>]*value="([^"]*)"/.exec(text)?.[1];
  };
  expect(await shown('insufficient-funds')).toBe('insufficient-funds');
  expect(await shown('"><b>somebody')).toBe('approve');
});

test('the back button to the login lets another customer log in', async () => {
  const { browser, login } = await startVisit();
  const first = await logIn(browser, login, 'one');
  const second = await logIn(browser, login, 'two');
  const account = (text: string) => /name="account" value="([^"]+)"/.exec(text)?.[1];
  expect(account(second.text)).not.toBe(account(first.text));
});

test('the approval needs a login in the same browser', async () => {
  const { browser, login } = await startVisit();
  const skipped = await browser.visit(`${login.url}/approve`);
  expect(skipped.text).toContain('data-step="login"');
  expect((await openBrowser().visit(login.url)).status).toBe(410);
});

test('an expired visit shows a page that explains it', async () => {
  const { browser, login } = await startVisit();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
  const page = await logIn(browser, login, 'approve').finally(() => vi.useRealTimers());
  expect(page.status).toBe(410);
  expect(page.text).toContain('This page has ended');
});

test('two payments in one browser do not disturb each other', async () => {
  const first = await startVisit();
  const other = await createConsent(client);
  const otherVisit = await client.authorisationUrl(other.consentId);
  const otherLogin = await first.browser.visit(otherVisit.url);
  const otherApproval = await logIn(first.browser, otherLogin, 'two');
  const approval = await logIn(first.browser, first.login, 'one');
  const returned = await decide(first.browser, approval, {});
  const otherReturned = await decide(first.browser, otherApproval, {});
  await exchange(client, first.visit, returned.url);
  await exchange(client, otherVisit, otherReturned.url);
});

test('pages load nothing from elsewhere and run no script', async () => {
  const { login } = await startVisit();
  const reply = await fetch(`${simulator.url}/`);
  const policy = reply.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(login.text).not.toContain('<script');
  expect(login.text).not.toMatch(/(src|href)="https?:/);
});
