import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { HtmlValidate } from 'html-validate';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setMerchant } from '../../service/src/modules/merchants/index.ts';
import { axeFindings, visit } from '../../web/checkout/src/test/visit.ts';
import { openBrowser } from '../harness/browser/open-browser.ts';
import { type Journey, openJourney } from '../harness/open-journey.ts';
import { blockShop, createPageStates, type PageState } from './create-page-states.ts';

let journey: Journey;
let browser: Browser;
let states: readonly PageState[];

beforeAll(async () => {
  [journey, browser] = await Promise.all([openJourney(), openBrowser()]);
  states = await createPageStates(journey);
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await journey?.close();
});

/** A middling phone on a slow 4G line, as Lighthouse has it. */
const slowLine = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_638_400 / 8,
  uploadThroughput: 768_000 / 8,
};
const slowerCpu = 4;
const runs = 5;

const shape = (width: number, height: number) =>
  `data:image/svg+xml;base64,${Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      `<path fill="#c60" d="M0 0h${width}v${height}H0z"/></svg>`,
  ).toString('base64')}`;
const logos = { none: null, wide: shape(240, 60), tall: shape(60, 240), square: shape(64, 64) };

type Painted = { readonly lcpMs: number; readonly cls: number; readonly bytes: number };

/** What the browser itself measures, of a first visit. */
const watchPaints = `
  window.painted = { lcpMs: 0, cls: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.painted.lcpMs = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.painted.cls += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

const firstVisit = async (name: string, width: number, height: number): Promise<Painted> => {
  const { page, close } = await visit(browser, { viewport: { width, height } });
  await page.addInitScript(watchPaints);
  const session = await page.context().newCDPSession(page);
  const loaded = await slowDown(session);
  await stateOf(name).show(page, 'en');
  await page.waitForLoadState('load');
  await page.waitForFunction('window.painted.lcpMs > 0');
  // Two frames later everything that was loaded is drawn.
  await page.evaluate('new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))');
  const painted = await page.evaluate<Omit<Painted, 'bytes'>>('window.painted');
  await close();
  return { ...painted, bytes: loaded() };
};

const stateOf = (name: string): PageState => {
  const found = states.find((state) => state.name === name);
  if (!found) throw new Error(`no page ${name}`);
  return found;
};

const slowDown = async (session: CDPSession): Promise<() => number> => {
  let bytes = 0;
  const logos = new Set<string>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.includes('/merchant-logos/')) logos.add(requestId);
  });
  // The merchant's logo is as heavy as the merchant made it.
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!logos.has(requestId)) bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', slowLine);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowerCpu });
  return () => bytes;
};

const say = (figures: string): boolean => process.stdout.write(`${figures}\n`);

const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const measure = async (said: string, name: string): Promise<void> => {
  const seen: Painted[] = [];
  for (let run = 0; run < runs; run += 1) seen.push(await firstVisit(name, 360, 560));
  const figures = {
    lcpMs: Math.round(middle(seen.map(({ lcpMs }) => lcpMs))),
    cls: Math.max(...seen.map(({ cls }) => cls)),
    bytes: Math.max(...seen.map(({ bytes }) => bytes)),
  };
  say(`${said}: ${JSON.stringify(figures)}`);
  expect(figures.lcpMs).toBeLessThan(1_500);
  expect(figures.cls).toBe(0);
  expect(figures.bytes).toBeLessThanOrEqual(16 * 1024);
};

test.each(Object.keys(logos) as (keyof typeof logos)[])(
  'the first view with the logo: %s',
  { timeout: 300_000 },
  async (name) => {
    const { tools, merchant } = journey.sandbox;
    await setMerchant(tools, merchant.merchantId, { logo: logos[name] });
    await measure(`first view, logo ${name}`, 'choose');
    await setMerchant(tools, merchant.merchantId, { logo: null });
  },
);

test('the first view of a payer whose bank is remembered', { timeout: 300_000 }, () =>
  measure('first view, a bank chosen', 'review'),
);

const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  rules: {
    // Of taste: our pages are written without these.
    'attribute-boolean-style': 'off',
    'doctype-style': 'off',
    'no-trailing-whitespace': 'off',
    'void-style': 'off',
    'long-title': 'off',
    'no-implicit-button-type': 'off',
    // Only where no script runs: there a page that waits goes on by it (PAGE-4).
    'meta-refresh': 'off',
    'no-inline-style': 'error',
  },
});

const invalid = async (html: string): Promise<readonly string[]> => {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${ruleId}: ${message} (${line})`),
  );
};

/** What pa11y runs. The errors: its warnings and notices ask a person to look. */
const sniffer = readFileSync(
  createRequire(import.meta.url).resolve('@pa11y/html_codesniffer/build/HTMLCS.js'),
  'utf8',
);

const sniffed = async (page: Page): Promise<readonly string[]> => {
  await page.addScriptTag({ content: sniffer });
  return page.evaluate<readonly string[]>(`new Promise((resolve) => {
    HTMLCS.process('WCAG2AA', document, () => resolve(HTMLCS.getMessages()
      .filter(({ type }) => type === HTMLCS.ERROR)
      .map(({ code, element }) => code + ': ' + element.outerHTML.slice(0, 120))));
  })`);
};

test('every page is valid, and axe and the engine of pa11y find nothing', {
  timeout: 300_000,
}, async () => {
  const wrong: string[] = [];
  const { page, close } = await visit(browser, { bypassCSP: true });
  await blockShop(page);
  let sent = '';
  page.on('response', async (answer) => {
    const type = answer.headers()['content-type'] ?? '';
    if (type.startsWith('text/html')) sent = await answer.text().catch(() => sent);
  });
  for (const state of states) {
    await state.show(page, 'en');
    const found = {
      axe: await axeFindings(page),
      pa11y: await sniffed(page),
      html: await invalid(sent),
    };
    for (const [by, findings] of Object.entries(found))
      wrong.push(...findings.map((finding) => `${state.name}, ${by}: ${finding}`));
  }
  await close();
  say(`${states.length} pages: ${wrong.length} findings`);
  expect(wrong).toEqual([]);
});
