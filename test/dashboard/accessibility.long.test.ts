import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../../web/checkout/src/test/visit.ts';
import { dashboardPages } from './dashboard-pages.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';
import { type Trade, trade } from './trade-steps.ts';

const screens = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 360, height: 740 },
} as const;

let dashboard: Dashboard;
let traded: Trade;

beforeAll(async () => {
  dashboard = await openDashboard();
  traded = await trade(dashboard.sandbox);
});

afterAll(() => dashboard?.close());

// Each test within its limit, also where others run beside it.
const pagesATest = 14;
const untraded = {
  ...{ paymentIds: [], customerId: '', saleId: '', merchantId: '' },
  ...{ bankLinkId: '', bankAccountId: '' },
};
const names = dashboardPages(untraded).map(({ name }) => name);
const groups = Array.from({ length: Math.ceil(names.length / pagesATest) }, (_, group) =>
  names.slice(group * pagesATest, (group + 1) * pagesATest),
);
const views = (['desktop', 'phone'] as const).flatMap((screen) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    groups.map((group) => ({ first: group[0], last: group.at(-1), group, screen, colorScheme })),
  ),
);

test.each(views)(
  '$first to $last on $screen in $colorScheme: axe, width, policy',
  async ({ group, screen, colorScheme }) => {
    const viewport = screens[screen];
    const visited = await dashboard.visit('payments', { viewport, colorScheme, bypassCSP: true });
    const pages = dashboardPages(traded).filter(({ name }) => group.includes(name));
    for (const { name, path } of pages) {
      await visited.open(path);
      expect(await axeFindings(visited.page), name).toEqual([]);
      const width = await visited.page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width, name).toBeLessThanOrEqual(viewport.width);
    }
    await visited.close();
  },
);

test('no page breaks the policy or logs an error', async () => {
  const { said, open, close } = await dashboard.visit('payments');
  // Passkeys are listed by the sign-in library, which does not know the session that tests open: the
  // journey of a passkey looks at that page.
  const pages = dashboardPages(traded).filter(({ name }) => name !== 'account');
  for (const { path } of pages) await open(path);
  expect(said).toEqual([]);
  await close();
});
