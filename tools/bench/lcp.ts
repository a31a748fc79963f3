import { appendFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../test/harness/browser/open-browser.ts';
import { type Product, startProduct } from './setup/product.ts';

/** The "slow 4G" of Chromium's developer tools: every request waits 562.5 ms for its first byte. */
const slow4g = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6 * 1_000_000 * 0.9) / 8,
  uploadThroughput: (0.75 * 1_000_000 * 0.9) / 8,
};
const cpuSlowdown = 4;
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true };

type Look = {
  readonly lcpMs: number;
  readonly element: string;
  readonly shift: number;
  readonly bytes: number;
  readonly requests: number;
};

const observed = `new Promise((resolve) => {
  const seen = { lcpMs: 0, element: '', shift: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      seen.lcpMs = entry.startTime;
      seen.element = entry.element?.tagName + '.' + entry.element?.className;
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(seen), 1500);
})`;

/** One first visit: nothing in the cache, a slow processor, a slow network. */
const lookOnce = async (browser: Browser, address: string): Promise<Look> => {
  const context = await browser.newContext({ ...phone, bypassCSP: true });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  let requests = 0;
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.startsWith('data:')) requests += 1;
  });
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', slow4g);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  await page.goto(address, { waitUntil: 'load' });
  const seen = await page.evaluate<Pick<Look, 'lcpMs' | 'element' | 'shift'>>(observed);
  await context.close();
  return { ...seen, bytes, requests };
};

const createPayment = async ({ port, demo }: Product): Promise<string> => {
  const reply = await fetch(`http://127.0.0.1:${port}/api/payments/process-payment`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demo.sandboxSecret}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ customerId: 'c', orderId: 'o-1', amount: 12.5, expiresIn: 3_600_000 }),
  });
  const { paymentUrl } = (await reply.json()) as { readonly paymentUrl: string };
  return paymentUrl;
};

const middle = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** Largest Contentful Paint of the first view of the hosted page, as a phone far out has it. */
const { values } = parseArgs({
  options: { looks: { type: 'string', default: '9' }, output: { type: 'string' } },
});
const product = await startProduct();
const browser = await openBrowser();
const looks: Look[] = [];
try {
  const address = await createPayment(product);
  // The server's and the browser's own first time is not the payer's.
  await lookOnce(browser, address);
  for (let at = 0; at < Number(values.looks); at += 1) looks.push(await lookOnce(browser, address));
} finally {
  await browser.close();
  await product.stop();
}
const result = {
  lcpMs: Math.round(middle(looks.map(({ lcpMs }) => lcpMs))),
  lcpMsWorst: Math.round(Math.max(...looks.map(({ lcpMs }) => lcpMs))),
  element: looks[0]?.element,
  layoutShift: Math.max(...looks.map(({ shift }) => shift)),
  bytes: Math.max(...looks.map(({ bytes }) => bytes)),
  requests: Math.max(...looks.map(({ requests }) => requests)),
  looks: looks.length,
};
console.log(JSON.stringify(result, null, 2));
if (values.output) await appendFile(values.output, `${JSON.stringify(result)}\n`);
