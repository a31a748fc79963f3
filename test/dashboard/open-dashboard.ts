import type { BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser/open-browser.ts';
import { signIn } from '../harness/dashboard/sign-in.ts';
import { openSandbox } from '../harness/open-sandbox.ts';
import { waitUntil } from '../harness/wait-until.ts';

export type Dashboard = Awaited<ReturnType<typeof openDashboard>>;

const patienceMs = 60_000;
const buildMs = 170_000;

/** The whole product with a browser in which a person is signed in. */
export const openDashboard = async () => {
  const [sandbox, browser] = await Promise.all([openSandbox(), openBrowser()]);
  // In a fresh clone the pages are built first: until then they say so with 503.
  const signInPage = `${sandbox.url}/dashboard/sign-in`;
  await waitUntil(async () => (await fetch(signInPage)).status === 200, { withinMs: buildMs });
  const { merchantId } = sandbox.merchant;
  const person = await signIn(sandbox.tools, {
    merchantId,
    isOperator: true,
    origin: sandbox.url,
    name: 'Ada Lovelace',
  });
  /** A page of the merchant in the sandbox; `said` collects what the browser complains about. */
  const visit = async (path: string, options: BrowserContextOptions = {}, by = person) => {
    const [name = '', value = ''] = by.headers.cookie?.split(/=(.*)/s) ?? [];
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      locale: 'en-GB',
      ...options,
    });
    context.setDefaultTimeout(patienceMs);
    const domain = new URL(sandbox.url).hostname;
    await context.addCookies([{ name, value, domain, path: '/dashboard', httpOnly: true }]);
    const page = await context.newPage();
    const said: string[] = [];
    page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
    page.on('pageerror', ({ message }) => said.push(message));
    const open = async (below: string): Promise<void> => {
      await page.goto(addressOf(below));
      await page.locator('h1').waitFor();
      await settle(page);
    };
    await open(path);
    return { page, said, open, close: () => context.close() };
  };
  /** Another person's browser, which is signed in nowhere. */
  const visitAs = async (options: BrowserContextOptions, address: string): Promise<Page> => {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    await page.goto(address);
    return page;
  };
  const addressOf = (path: string): string =>
    path.startsWith('/')
      ? `${sandbox.url}/dashboard${path}`
      : `${sandbox.url}/dashboard/${merchantId}/sandbox/${path}`;
  return {
    sandbox,
    visit,
    visitAs,
    addressOf,
    close: async () => {
      await browser.close();
      await sandbox.close();
    },
  };
};

/** Nothing loads any more, and no row is a placeholder. */
const settle = async (page: Page): Promise<void> => {
  await page.waitForLoadState('networkidle');
  await page.waitForSelector('[aria-busy=true], [data-visible=true]', { state: 'detached' });
};
