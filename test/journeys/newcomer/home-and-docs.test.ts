import { request as httpRequest } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFindings } from '../../../web/checkout/src/test/visit.ts';
import { openBrowser } from '../../harness/browser/open-browser.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';

const operator = {
  OPERATOR_STATUS: 'Authorised by the FCA, no. 900000',
  TERMS_URL: 'https://pay.example/terms',
  PRIVACY_URL: 'https://pay.example/privacy',
};

let sandbox: Sandbox;
let browser: Browser;
beforeAll(async () => {
  [sandbox, browser] = await Promise.all([
    openSandbox({ SECURITY_CONTACT: 'mailto:security@pay.example', ...operator }),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

type Sent = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Not by fetch, which sends its own Host. */
const visit = (path: string, { method = 'GET', headers = {}, body }: Sent = {}) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const options = { method, headers: { accept: 'text/html', ...headers } };
    const sent = httpRequest(`${sandbox.url}${path}`, options, (reply) => {
      let text = '';
      reply.on('data', (chunk) => {
        text += chunk;
      });
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
    });
    sent.on('error', reject).end(body);
  });

const foreign: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['a name that resolves to this machine', { host: 'rebound.example:3000' }],
  ['a name that begins like loopback', { host: '127.0.0.1.rebound.example' }],
  ['a proxy on this machine', { 'x-forwarded-for': '203.0.113.9' }],
  ['a proxy that says only its name', { via: '1.1 proxy' }],
];

test('the page of a payment shows the status of the operator, its terms and privacy', async () => {
  const body = { customerId: 'c', orderId: 'o', amount: 12.5 };
  const made = await sandbox.request('POST', '/api/payments/process-payment', { body });
  const { text } = await visit(`/pay?paymentRequestId=${made.body.paymentRequestId}`);
  expect(text).toContain(`<bdi>${operator.OPERATOR_STATUS}</bdi>`);
  for (const url of [operator.TERMS_URL, operator.PRIVACY_URL])
    expect(text).toContain(`<a href="${url}">`);
});

describe('home', () => {
  test('shows a browser on this machine the secret, and programs a map', async () => {
    expect((await visit('/')).text).toContain(`Bearer ${sandbox.secret}`);
    const map = await visit('/', { headers: { accept: 'application/json' } });
    expect(JSON.parse(map.text)).toMatchObject({
      openapi: '/openapi.json',
      documentation: '/docs',
    });
    expect(map.text).not.toContain(sandbox.secret);
  });

  test.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', true],
    ['application/json, text/html;q=0.5', false],
    ['text/html;q=0', false],
    ['text/html;q=0.2, */*;q=0.1', true],
    ['*/*', false],
  ])('gives who accepts %s a page: %s', async (accept, isPage) => {
    const { text } = await visit('/', { headers: { accept } });
    expect(text.startsWith('<!doctype html>')).toBe(isPage);
  });

  test.each(foreign)('shows nothing private to %s', async (_, headers) => {
    const { status, text } = await visit('/', { headers });
    expect(status).toBe(200);
    expect(text).toContain('Bearer $SECRET');
    expect(text).not.toContain(sandbox.secret);
    expect(text).not.toContain('<form method="post"');
    expect((await visit('/home/recent', { headers })).status).toBe(404);
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
    const posted = { method: 'POST', headers: form, body: `token=${await formToken()}` };
    expect((await visit('/home/demo-payment', posted)).status).toBe(404);
  });

  test('makes a payment for its own form only', async () => {
    const type = 'application/x-www-form-urlencoded';
    const post = (body: string, more: Readonly<Record<string, string>> = {}) =>
      visit('/home/demo-payment', {
        method: 'POST',
        headers: { 'content-type': type, ...more },
        body,
      });
    const token = await formToken();
    expect((await post('')).status).toBe(400);
    expect((await post(`token=${token}x`)).status).toBe(400);
    expect((await post(`token=${token}`, { 'sec-fetch-site': 'cross-site' })).status).toBe(400);
    expect((await post(`token=${token}&token=${token}`)).status).toBe(400);
    expect((await post(`token=${token}`, { 'sec-fetch-site': 'same-origin' })).status).toBe(303);
  });

  test('opens a demo payment and shows it live, from this origin alone', async () => {
    const page = await browser.newPage();
    const elsewhere: string[] = [];
    const blocked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== sandbox.url && !request.url().startsWith('data:'))
        elsewhere.push(request.url());
    });
    page.on('console', (line) => {
      if (line.type() === 'error') blocked.push(line.text());
    });
    await page.goto(sandbox.url);
    const other = await browser.newPage();
    await other.goto(sandbox.url);
    await other.getByRole('button', { name: 'Make a demo payment' }).click();
    await other.waitForURL(/paymentRequestId=/);
    const id = new URL(other.url()).searchParams.get('paymentRequestId');
    await sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, {});
    await page.locator('#recent').getByText('completed').waitFor();
    for (const path of shownPages) await page.goto(`${sandbox.url}${path}`);
    expect({ elsewhere, blocked }).toEqual({ elsewhere: [], blocked: [] });
    await Promise.all([page.close(), other.close()]);
  });

  test.each(isLongRun ? (['light', 'dark'] as const) : (['light'] as const))(
    'and its pages are accessible: %s',
    async (colorScheme) => {
      // axe is loaded from elsewhere, which the pages forbid.
      const context = await browser.newContext({ bypassCSP: true, colorScheme });
      const page = await context.newPage();
      for (const path of isLongRun
        ? shownPages
        : shownPages.slice(0, 1).concat(shownPages[3] ?? [])) {
        await page.goto(`${sandbox.url}${path}`);
        expect(await axeFindings(page), path).toEqual([]);
      }
      await context.close();
    },
  );
});

const shownPages = [
  '/',
  '/docs',
  '/docs/guides/first-webhook',
  '/docs/reference/payments',
  '/docs/search?q=refund',
];

const formToken = async (): Promise<string> =>
  /name="token" value="(\w+)"/.exec((await visit('/')).text)?.[1] ?? '';

const linksIn = (html: string): readonly string[] =>
  [...html.matchAll(/href="([^"]+)"/g)]
    .map(([, href = '']) => href)
    .filter((href) => !href.startsWith('data:'));

const leadsSomewhere = async ({ origin, pathname, hash }: URL): Promise<boolean> => {
  if (origin !== sandbox.url) return false;
  const { status, body } = await sandbox.request('GET', pathname);
  const hasAnchor = hash === '' || String(body).includes(`id="${hash.slice(1)}"`);
  return (status === 200 && hasAnchor) || status === 302;
};

describe('documentation', () => {
  test('has a Markdown twin of every page, and no link that leads nowhere', async () => {
    const { body: list } = await sandbox.request('GET', '/llms.txt');
    const twins = [...list.matchAll(/\((\/docs\/[^)]+\.md)\)/g)].map(([, path]) => path);
    expect(twins.length).toBeGreaterThan(20);
    const links = new Map<string, string>();
    for (const twin of twins) {
      const markdown = await sandbox.request('GET', twin);
      expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      const page = twin.replace(/\.md$/, '');
      const { status, body } = await sandbox.request('GET', page);
      expect(status, page).toBe(200);
      for (const href of linksIn(body))
        links.set(new URL(href, `${sandbox.url}${page}`).href, page);
    }
    const bad: string[] = [];
    for (const [href, page] of links)
      if (!(await leadsSomewhere(new URL(href)))) bad.push(`${page}: ${href}`);
    expect(bad).toEqual([]);
  });

  test('begins its reference with the creation of a payment, and shows nobody how it is made', async () => {
    const page = await visit('/docs/reference/payments');
    expect(/<main[\s\S]*?<h2[^>]*>([^<]+)/.exec(page.text)?.[1]).toBe(
      'POST /api/payments/process-payment',
    );
    for (const path of [
      '/docs/reference',
      '/docs/reference/failures',
      '/docs/rules/ledger-entries',
    ])
      for (const address of [path, `${path}.md`])
        expect((await visit(address)).text, address).not.toMatch(/do not edit|npm run generate/);
  });

  test('is searched, the best section first', async () => {
    const { text } = await visit('/docs/search?q=signing+SECRET');
    expect(text).toMatch(/<li><a href="\/docs\/[^"]+">[^<]*igning/i);
    expect((await visit('/docs/search?q=zzzz')).text).toContain(
      'Nothing holds all of these words.',
    );
    const hostile = await visit(`/docs/search?q=${encodeURIComponent('"><b>x')}&q=y`);
    expect(hostile.text).not.toContain('<b>x');
    expect((await visit('/docs/search')).status).toBe(200);
  });

  test.each(isLongRun ? [true, false] : [true])(
    'shows its examples in the language of the reader, script: %s',
    async (script) => {
      const context = await browser.newContext({ javaScriptEnabled: script });
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const page = await context.newPage();
      await page.goto(`${sandbox.url}/docs/reference/payments`);
      const inPython = page.locator('[data-language=python]').first();
      expect(await inPython.isVisible()).toBe(false);
      await page.getByLabel('Python').check();
      expect(await inPython.isVisible()).toBe(true);
      expect(await page.locator('[data-language=sh]').first().isVisible()).toBe(false);
      const copy = inPython.getByRole('button', { name: 'Copy' });
      expect(await copy.count()).toBe(script ? 1 : 0);
      if (script) {
        await copy.click();
        await inPython.getByRole('button', { name: 'Copied' }).waitFor();
        const copied = await page.evaluate('navigator.clipboard.readText()');
        expect(copied).toBe(await inPython.locator('code').textContent());
        await page.goto(`${sandbox.url}/docs/reference/refund`);
        expect(await page.getByLabel('Python').isChecked()).toBe(true);
      }
      await context.close();
    },
  );

  test('publishes the document that is committed', async () => {
    const { body } = await sandbox.request('GET', '/openapi.json');
    expect(body).toMatchObject({ openapi: '3.1.0', webhooks: { PAYMENTS_STATUS: {} } });
  });

  test('is stored, named by a tag, and keeps other sites out', async () => {
    const { headers } = await sandbox.request('GET', '/docs/guides/quick-start');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    const held = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
    expect((await sandbox.request('GET', '/docs/guides/quick-start', held)).status).toBe(304);
  });

  test('tells programs what may be indexed, and people whom to tell of a weakness', async () => {
    const { body: contact } = await sandbox.request('GET', '/.well-known/security.txt');
    expect(contact).toMatch(/^Contact: mailto:security@pay\.example\nExpires: \d{4}-\d\d-\d\dT/);
    const { body } = await sandbox.request('GET', '/robots.txt');
    expect(body).toContain('Allow: /docs\n');
    expect(body).toContain('Disallow: /\n');
  });

  test('answers an unknown page as any address', async () => {
    expect((await visit('/docs/../../package.json')).status).toBe(404);
    expect((await visit('/docs/%2e%2e%2fpackage.json')).status).toBe(404);
    const forPrograms = await sandbox.request('GET', '/docs/guides/none');
    expect([forPrograms.status, forPrograms.body.name]).toEqual([404, 'NOT_FOUND']);
    const shown = await visit('/docs/guides/none');
    expect(shown.text).toContain('<h1>Page not found</h1>');
    expect(shown.text).toContain('<link rel="stylesheet" href="/docs/style.css">');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const refused = await visit('/home/demo-payment', {
      method: 'POST',
      headers: form,
      body: 'token=x',
    });
    expect([refused.status, refused.text.includes('<h1>That did not work</h1>')]).toEqual([
      400,
      true,
    ]);
    for (const { text } of [shown, refused]) expect(text).not.toMatch(/payment link|data-page=/);
  });
});
