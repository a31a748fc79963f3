import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../../web/checkout/src/test/visit.ts';
import { openReceiver, type Receiver } from '../harness/open-receiver.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';

const patience = { withinMs: 20_000, everyMs: 100 };

let dashboard: Dashboard;
let receiver: Receiver;

beforeAll(async () => {
  [dashboard, receiver] = await Promise.all([openDashboard(), openReceiver()]);
});

afterAll(async () => {
  await dashboard?.close();
  await receiver?.close();
});

const isSound = async (page: Page): Promise<void> => {
  expect(await axeFindings(page)).toEqual([]);
  const { width } = page.viewportSize() ?? { width: 0 };
  const drawn = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(drawn).toBeLessThanOrEqual(width);
};

test('a failing webhook is seen with its reason, mended and delivered again', async () => {
  receiver.answer((_, reply) => void reply.writeHead(404).end('no such page'));
  const { page, said, close } = await dashboard.visit('developers/webhooks', { bypassCSP: true });
  await page.getByText('No endpoints yet').waitFor();
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Address').fill(receiver.url);
  await form.getByRole('button', { name: 'Create endpoint' }).click();
  await page.getByRole('link', { name: receiver.url }).waitFor();

  const body = { eventType: 'PAYMENTS_STATUS', orderId: 'INV-7', amount: 12.5 };
  expect((await dashboard.sandbox.request('POST', '/api/webhook/test', { body })).status).toBe(200);
  await page.getByText('There is nothing at this address (404).').waitFor();
  await isSound(page);
  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByRole('alert').getByText('This endpoint fails').waitFor();
  await isSound(page);
  await page.locator('[data-row-link]', { hasText: 'PAYMENTS_STATUS' }).click();
  await page.getByText('no such page').first().waitFor();
  const advice = page.getByText('Compare the path with the route of your server.');
  expect(await advice.count()).toBeGreaterThan(1);
  await isSound(page);

  receiver.answer((_, reply) => void reply.end('ok'));
  const isDue = `update delivery set due_at = now() where state = 'PENDING'`;
  await dashboard.sandbox.tools.database.system<object, object>(
    { name: '', text: isDue, valueNames: [] },
    {},
  );
  await page.getByText('Delivered', { exact: true }).first().waitFor(slow);
  const before = receiver.received.length;
  await page.getByRole('button', { name: 'Deliver again' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Deliver again' }).click();
  await dialog.waitFor({ state: 'detached' });
  await waitUntil(() => receiver.received.length > before, patience);
  const ids = receiver.received.map(({ headers }) => headers['x-service-event-id']);
  expect(new Set(ids).size).toBe(1);
  await page.getByRole('link', { name: 'Deliveries' }).first().click();
  await waitUntil(async () => (await page.locator('tbody tr').count()) === 2, patience);
  expect(said).toEqual([]);
  await close();
});

const slow = { timeout: patience.withinMs };

test('a secret made in the dashboard calls the API, and the log shows the call', async () => {
  const { page, close } = await dashboard.visit('developers/secrets', {
    bypassCSP: true,
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
  });
  await page.getByRole('button', { name: 'New secret' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Till 1');
  await form.getByLabel('Web pages that may call').fill('not an origin');
  await form.getByRole('button', { name: 'Create secret' }).click();
  await form.getByText('webOrigins must be origins').first().waitFor();
  await form.getByLabel('Web pages that may call').fill('https://shop.example');
  await form.getByRole('button', { name: 'Create secret' }).click();
  await form.waitFor({ state: 'detached' });
  const shown = page.getByRole('status').filter({ hasText: 'it is shown only once' });
  const secret = (await shown.locator('code').textContent()) ?? '';
  const reply = await fetch(`${dashboard.sandbox.url}/api/customers`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(reply.status).toBe(200);
  await isSound(page);
  await page.goto(dashboard.addressOf('developers/requests'));
  await page.getByText('listCustomers').first().waitFor(slow);
  expect(await page.getByText('Till 1').first().isVisible()).toBe(true);
  await isSound(page);
  await page.goto(dashboard.addressOf('developers/secrets'));
  await page.getByText('Till 1').waitFor();
  expect(await page.getByText(secret).count()).toBe(0);
  await close();
});

test('in the sandbox a press pays, sends a test event and moves the clock', async () => {
  const { page, said, close } = await dashboard.visit('developers/sandbox', { bypassCSP: true });
  await page.getByRole('button', { name: 'Rejected' }).click();
  await page.getByText('Failed', { exact: true }).waitFor(slow);
  await page.getByRole('button', { name: 'Paid', exact: true }).click();
  await page.getByText('Paid', { exact: true }).nth(1).waitFor(slow);
  await page.getByRole('button', { name: 'PAYMENTS_STATUS', exact: true }).click();
  await page.getByText('It is on its way').waitFor(slow);
  await page.getByRole('button', { name: 'Move on a day' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Move on a day' }).click();
  await page.getByText('It is now').waitFor(slow);
  await isSound(page);
  expect(said).toEqual([]);
  await close();
});
