import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardPayments } from '../../../../../test/harness/card-payments.ts';
import { openSandbox, type Sandbox } from '../../../../../test/harness/open-sandbox.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { paymentJobs } from '../jobs.ts';

let sandbox: Sandbox;
let cards: ReturnType<typeof cardPayments>;
let card: Awaited<ReturnType<typeof cards.saveCard>>;

beforeAll(async () => {
  sandbox = await openSandbox();
  cards = cardPayments(sandbox);
  card = await cards.saveCard('4000000000000127');
  await sandbox.stopWorker();
});
afterAll(() => sandbox.close());

const makeCapturesDue = (ids: readonly string[]) =>
  cards.rows(
    `update attempt set capture_business_at = clock_timestamp(), capture_at = clock_timestamp()
     where payment_request_id = any ($1)`,
    [ids],
  );

const gate = () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

const authorised = async (): Promise<string> => {
  const id = await cards.charged(card, { captureType: 'CAPTURE_BEFORE_EXPIRY' });
  await cards.reaches(id, 'AUTHORIZED');
  return id;
};

test('a slow capture delays no other', async () => {
  const [slow, quick, later] = [await authorised(), await authorised(), await authorised()];
  const [answer, enough] = [gate(), [gate(), gate()] as const];
  const rail = await sandbox.rails.cardRails.need(sandbox.tenant);
  let isFirst = true;
  const slowRail = {
    ...rail,
    capture: async (state: string) => {
      const isHeld = isFirst;
      isFirst = false;
      if (isHeld) await answer.opened;
      return rail.capture(state);
    },
  };
  let rounds = 0;
  const patience = () => enough[Math.min(rounds++, 1)]?.opened ?? Promise.resolve();
  const jobs = paymentJobs(
    { ...sandbox.tools, ...sandbox.rails, cardRails: { findAccount: async () => slowRail } },
    { patience },
  );
  await makeCapturesDue([slow]);
  const first = jobs.captureBeforeExpiry();
  await waitUntil(async () => !isFirst);
  await makeCapturesDue([quick]);
  const second = jobs.captureBeforeExpiry();
  await cards.reaches(quick, 'COMPLETED');
  enough[0].open();
  expect(await first).toBe(0);
  await makeCapturesDue([later]);
  await jobs.captureBeforeExpiry();
  await cards.reaches(later, 'COMPLETED');
  expect((await cards.status(slow)).status).toBe('AUTHORIZED');
  answer.open();
  await Promise.all([second, jobs.drain()]);
  expect((await cards.status(slow)).status).toBe('COMPLETED');
});
