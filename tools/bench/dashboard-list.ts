import type { Browser, BrowserContext } from 'playwright-core';
import { openBundle } from '../../service/src/programs/dashboard/open-bundle.ts';
import { openBrowser } from '../../test/harness/browser/open-browser.ts';
import { signIn } from '../../test/harness/dashboard/sign-in.ts';
import { openSearchSetup } from './setup/open-search-setup.ts';

// npm run bench dashboard-list [payments] [folder]: opens the list of payments in a browser, as a
// person who is signed in. With a folder the database is kept for the next run.
const payments = Number(process.argv[2] ?? 1_000_000);
const opens = 30;
const rowsOfAPage = 25;
const goalMs = 1_000;

/** Milliseconds from the start of the navigation until the last row of the page is visible. */
const openList = async (context: BrowserContext, address: string): Promise<number> => {
  const page = await context.newPage();
  await page.goto(address, { waitUntil: 'commit' });
  const rows = page.locator('tbody tr[data-link]');
  await rows.nth(rowsOfAPage - 1).waitFor();
  const ms = await page.evaluate<number>('performance.now()');
  await page.close();
  return ms;
};

type Visitor = { readonly address: string; readonly cookie: string };

const openContext = async (
  browser: Browser,
  { address, cookie }: Visitor,
): Promise<BrowserContext> => {
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const domain = new URL(address).hostname;
  await context.addCookies([{ name, value, domain, path: '/dashboard', httpOnly: true }]);
  return context;
};

/** A browser that has never been there, and one that has the code in its cache. */
const visits: Readonly<Record<string, (browser: Browser, by: Visitor) => Promise<number[]>>> = {
  'first visit': async (browser, by) => {
    const took: number[] = [];
    while (took.length < opens) {
      const context = await openContext(browser, by);
      took.push(await openList(context, by.address));
      await context.close();
    }
    return took;
  },
  'code in the cache': async (browser, by) => {
    const took: number[] = [];
    const context = await openContext(browser, by);
    await openList(context, by.address);
    while (took.length < opens) took.push(await openList(context, by.address));
    await context.close();
    return took;
  },
};

const setup = await openSearchSetup(payments, process.argv[3]);
const browser = await openBrowser();
try {
  await openBundle();
  const origin = await setup.listen();
  const { headers } = await signIn(setup.tools, { merchantId: setup.seeded.merchantId, origin });
  const address = `${origin}/dashboard/${setup.seeded.merchantId}/sandbox/payments`;
  for (const [name, visit] of Object.entries(visits)) {
    const took = (await visit(browser, { address, cookie: headers.cookie ?? '' })).sort(
      (one, other) => one - other,
    );
    const at = (share: number) => took[Math.floor(took.length * share)] ?? Number.NaN;
    const [p50, p95, slowest] = [at(0.5), at(0.95), took.at(-1) ?? Number.NaN];
    const figures = `p50 ${p50.toFixed(0)}  p95 ${p95.toFixed(0)}  slowest ${slowest.toFixed(0)} ms`;
    const mark = p95 <= goalMs ? '' : `  above ${goalMs}`;
    process.stdout.write(
      `list of ${payments}, ${name.padEnd(18)} ${figures}  of ${opens} opens${mark}\n`,
    );
    if (mark) process.exitCode = 1;
  }
} finally {
  await browser.close();
  await setup.close();
}
