import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCaughtMails } from '../../service/src/modules/people/index.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';
import { type Trade, trade } from './trade-steps.ts';

let dashboard: Dashboard;
let traded: Trade;

beforeAll(async () => {
  dashboard = await openDashboard();
  traded = await trade(dashboard.sandbox);
});

afterAll(() => dashboard?.close());

test('filters are saved under a name, and the time line names who did what', async () => {
  const { page, said, open, close } = await dashboard.visit('payments?status=FAILED');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Save these filters as').fill('Failed ones');
  await page.getByRole('button', { name: 'Save the view' }).click();
  await open('payments');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('link', { name: 'Failed ones' }).click();
  await page.waitForURL(/\?status=FAILED$/);
  await open(`payments/${traded.paymentIds[1]}`);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  const line = page.getByRole('region', { name: 'Timeline' });
  await line.getByText('£1,240.00').first().waitFor();
  expect(await line.getByRole('listitem').count()).toBeGreaterThan(3);
  const [first, last] = [line.getByRole('listitem').first(), line.getByRole('listitem').last()];
  await last.getByText('Payment requested').waitFor();
  await line.getByRole('button', { name: 'Oldest first' }).click();
  await first.getByText('Payment requested').waitFor();
  expect(said).toEqual([]);
  await close();
});

test('each payment of the list gives its id, its API call and its link to copy', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page, said, close } = await dashboard.visit('payments', { permissions });
  const copied = async (what: string): Promise<string> => {
    await page.getByRole('button', { name: 'Copy details of INV-1042' }).click();
    await page.getByRole('button', { name: what }).click();
    await page.getByRole('status').getByText('Copied').waitFor({ state: 'attached' });
    return page.evaluate('navigator.clipboard.readText()');
  };
  const [, id = ''] = traded.paymentIds;
  expect(await copied('Copy payment id')).toBe(id);
  expect(await copied('Copy API call')).toContain(`/payment-status/${id}?env=sandbox`);
  await page.goto(await copied('Copy link to this payment'));
  await page.getByRole('heading', { level: 1, name: '£1,240.00' }).waitFor();
  expect(said).toEqual([]);
  await close();
});

test('what the filters show is exported into a file', async () => {
  const { page, said, close } = await dashboard.visit('payments?status=FAILED');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('payments.csv');
  const [head, ...lines] = (await readFile(await saved.path(), 'utf8')).split('\r\n');
  expect(head).toMatch(/^\uFEFFDate,Order,Status,Amount,Refunded,/);
  const failed =
    /^[-\d]{10} [:\d]{8} \+0[01]:00,INV-1043,Failed,8\.20,0\.00,GBP,Mock,.*,Corner Coffee,/;
  expect(lines).toEqual([expect.stringMatching(failed), '']);
  expect(said).toEqual([]);
  await close();
});

test('an owner invites a cashier, who joins and cannot refund', async () => {
  const { page, said, close } = await dashboard.visit('settings/team');
  await page.getByLabel('Email of the person').fill('cashier@example.com');
  await page.getByLabel('Role', { exact: true }).selectOption('cashier');
  await page.getByRole('button', { name: 'Send an invite' }).click();
  const shownLink = page.getByRole('button', { name: /^Copy link/ });
  const first = await shownLink.getAttribute('aria-label');
  expect(await page.getByText('cashier@example.com, Cashier').isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Send again: the invite of cashier@example.com' }).click();
  // Only the link that works.
  await expect.poll(() => shownLink.first().getAttribute('aria-label')).not.toBe(first);
  expect(await shownLink.count()).toBe(1);
  const link = await shownLink.getAttribute('aria-label');
  await page.context().clearCookies();
  await page.goto(link?.replace('Copy link ', '') ?? '');
  await page.getByLabel('Your name').fill('Cass Ier');
  await page.locator('input[name=password]').fill('correct horse battery');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.waitForURL(/\/(sandbox|production)\/payments/);
  const [id = ''] = traded.paymentIds;
  await page.goto(dashboard.addressOf(`payments/${id}`));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Cass Ier').first().waitFor();
  expect(await page.getByRole('button', { name: 'Refund', exact: true }).count()).toBe(0);
  expect(said).toEqual([]);
  await close();
});

test('a person signs up, confirms the address, forgets the password and chooses another', async () => {
  const { page, said, open, close } = await dashboard.visit('/sign-up');
  await page.context().clearCookies();
  const email = 'alan@example.com';
  const newestLink = async (): Promise<string> => {
    const tools = {
      ...dashboard.sandbox.tools,
      dashboardUrl: dashboard.addressOf('/').slice(0, -1),
    };
    const mails = await listCaughtMails(tools, 20);
    const text = mails.find(({ to }) => to === email)?.text ?? '';
    const { pathname, hash } = new URL(/http\S+/.exec(text)?.[0] ?? '');
    tokens.push(hash.slice(1));
    return `${pathname.replace('/dashboard', '')}${hash}`;
  };
  const tokens: string[] = [];
  const sent: string[] = [];
  page.on('request', (asked) => sent.push(asked.url(), JSON.stringify(asked.headers())));
  await page.goto(dashboard.addressOf('/sign-up'));
  await page.getByLabel('Your name').fill('Alan Turing');
  await page.getByLabel('Business').fill('Bletchley Books');
  await page.getByLabel('Email').fill(email);
  await page.locator('input[name=password]').fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByText('Bletchley Books').first().waitFor();
  await page.getByText(`Confirm ${email}`).waitFor();
  await page.getByRole('link', { name: 'front page' }).waitFor();
  await open(await newestLink());
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await page.getByText(`${email} is yours.`).waitFor();
  await page.getByRole('link', { name: 'Continue to the dashboard' }).click();
  await page.getByText('Bletchley Books').first().waitFor();
  expect(await page.getByText(`Confirm ${email}`).count()).toBe(0);
  await page.context().clearCookies();
  await open('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await open(await newestLink());
  await page.locator('input[name=password]').fill('another horse battery');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(email);
  await page.locator('input[name=password]').fill('another horse battery');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Bletchley Books').first().waitFor();
  expect(said.filter((line) => !line.includes('401'))).toEqual([]);
  // A proxy logs addresses, and other sites get them as the referrer.
  expect(tokens).toEqual([expect.stringMatching(/^.{30,}$/), expect.stringMatching(/^.{30,}$/)]);
  for (const token of tokens) expect(sent.join()).not.toContain(token);
  await close();
});
