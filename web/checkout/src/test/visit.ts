import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { CheckoutView } from '@florin/contract';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { isLongRun } from '../../../../test/harness/is-long-run.ts';
import { renderCheckout } from '../render-checkout.ts';
import { renderNotice } from '../render-notice.ts';
import { inLocale, sampleNotices, sampleViews } from './sample-views.ts';
import { assetUrls, type PageServer, page } from './serve-pages.ts';

const phone = { viewport: { width: 390, height: 844 } } as const;

export const visit = async (
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Visit> => {
  const context = await browser.newContext({ ...phone, reducedMotion: 'reduce', ...options });
  const opened = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  opened.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  opened.on('pageerror', (error) => complaints.push(String(error)));
  opened.on('request', (request) => requests.push(request.url()));
  return { page: opened, complaints, requests, close: () => context.close() };
};

/** Every sample page in one language, by the path it is served at. */
export const serveSamples = (server: PageServer, locale: string): readonly string[] => {
  const assets = assetUrls();
  const views = new Map<string, CheckoutView>(Object.entries(sampleViews));
  const rendered = [
    ...Object.entries(sampleViews).map(
      ([name, view]) => [name, renderCheckout(inLocale(view, locale), assets)] as const,
    ),
    ...Object.entries(sampleNotices).map(
      ([name, notice]) =>
        [name, renderNotice(notice, assets, { locale, here: `/${locale}/${name}` })] as const,
    ),
  ];
  for (const [name, body] of rendered)
    server.answers.set(`GET /${locale}/${name}`, page(body, null, sourcesOf(views.get(name))));
  server.answers.set('GET /processor.js', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(processorScript);
  });
  server.answers.set('POST /bank-return', (_, response) => {
    response.writeHead(204).end();
  });
  serveQuietEvents(server);
  return rendered.map(([name]) => `/${locale}/${name}`);
};

const sourcesOf = (view: CheckoutView | undefined) =>
  view?.page === 'AT_CARD_PAGE' ? (view.fields?.sources ?? null) : null;

const processorScript = `window.Stripe = () => ({
  createEmbeddedCheckoutPage: async () => ({ mount: (place) => place.append('Fields') }),
});`;

export const serveQuietEvents = (server: PageServer): void => {
  server.answers.set('GET /pay/events', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': still here\n\n');
  });
};

export type Visit = {
  readonly page: Page;
  /** Violations of the policy, and errors of the script. */
  readonly complaints: readonly string[];
  /** Every requested address. */
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
};

/** The page that reads the fragment leaves before it has loaded: wait for the heading. */
export const openAddress = async (to: Page, address: string): Promise<void> => {
  await to.goto(address, { waitUntil: 'commit' });
  await to.waitForSelector('h1');
};

let axeAddress: Promise<string> | null = null;

/** From an address of its own, so that the browser reads and compiles it once for all pages. */
const serveAxe = async (): Promise<string> => {
  const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'));
  const server = createServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' })
      .end(source);
  });
  server.unref();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/axe.js`;
};

type AxeResult = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

export const focusedTag = (on: Page): Promise<string> =>
  on.evaluate<string>('document.activeElement.tagName');

/** Needs a context that bypasses the policy: axe comes from elsewhere. */
export const axeFindings = async (
  on: Page,
  rules: readonly string[] | null = null,
): Promise<readonly string[]> => {
  axeAddress ??= serveAxe();
  if (!(await on.evaluate<boolean>('"axe" in window')))
    await on.addScriptTag({ url: await axeAddress });
  // Nothing is to be loaded again for it: all styles are in the page.
  const quick = { resultTypes: ['violations'], preload: false };
  const options = { ...quick, ...(rules ? { runOnly: rules } : {}) };
  const found: readonly AxeResult[] = await on.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
};

const representatives =
  /choose-bank|review-tip|share-and-tip|card-saved|waiting-slow|paid-wrong|failed$/;

/** Every page is in the long run. */
export const isShown = (path: string): boolean => isLongRun || representatives.test(path);
