import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import {
  createOperatorSecret,
  revokeOperatorSecret,
} from '../../service/src/modules/operators/index.ts';
import { fillSandbox } from '../../tools/demo-data/fill-sandbox.ts';
import type { Sandbox } from '../harness/open-sandbox.ts';
import { type DashboardPage, dashboardPages } from './dashboard-pages.ts';
import { demoPages, proposeRefund } from './demo-pages.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';
import { type OpenPage, openPages } from './open-pictures.ts';
import { trade } from './trade-steps.ts';

const folder = process.env.PICTURES ?? 'pictures/dashboard';
const desktop = { width: 1280, height: 800 };
const phone = { width: 360, height: 740 };

const screens = {
  desktop: { viewport: desktop, colorScheme: 'light' },
  'desktop-dark': { viewport: desktop, colorScheme: 'dark' },
  phone: { viewport: phone, colorScheme: 'light' },
  'phone-dark': { viewport: phone, colorScheme: 'dark' },
} as const satisfies Record<string, BrowserContextOptions>;

const quality = 50;
const patienceMs = 1_800_000;

let dashboard: Dashboard;
let pages: readonly DashboardPage[];
let opened: readonly OpenPage[];

beforeAll(async () => {
  dashboard = await openDashboard();
  const { sandbox } = dashboard;
  const filled = await fill(sandbox);
  const traded = await trade(sandbox);
  await proposeRefund(sandbox, traded);
  pages = [...dashboardPages(traded), ...(await demoPages(sandbox, filled))];
  opened = openPages(traded);
  await mkdir(folder, { recursive: true });
}, patienceMs);

afterAll(() => dashboard?.close());

/** Trade of two months, or of `PICTURES_DAYS`: lists and charts look as they do in a shop. */
const fill = ({ url, secret, tools, merchant: { merchantId } }: Sandbox) =>
  fillSandbox({
    florin: { url, secret },
    operator: { merchantId, withSecret: (use) => lendOperatorSecret(tools, use) },
    request: { seed: 'pictures', days: Number(process.env.PICTURES_DAYS ?? 60), paymentsADay: 2 },
    onDay: () => undefined,
    isStopped: () => false,
  });

const lendOperatorSecret = async <Result>(
  tools: Sandbox['tools'],
  use: (secret: string) => Promise<Result>,
): Promise<Result> => {
  const { operatorSecretId, secret } = await createOperatorSecret(tools, 'Demo data', null);
  try {
    return await use(secret);
  } finally {
    await revokeOperatorSecret(tools, operatorSecretId);
  }
};

const shoot = async (page: Page): Promise<Buffer> => {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: process.env.PICTURES_AS === 'png' ? 'png' : 'webp',
    quality,
  });
  return Buffer.from(data, 'base64');
};

test.each(Object.entries(screens))(
  'every page on %s',
  async (screen, options) => {
    const visited = await dashboard.visit('payments', options);
    for (const { name, path } of pages) {
      await visited.open(path);
      await writeFile(join(folder, `${name}-${screen}.webp`), await shoot(visited.page));
    }
    for (const { name, path, act } of opened) {
      await visited.open(path);
      await act(visited.page);
      await writeFile(join(folder, `${name}-${screen}.webp`), await shoot(visited.page));
    }
    await visited.close();
  },
  patienceMs,
);
