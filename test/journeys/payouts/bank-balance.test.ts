import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperatorSecret } from '../../../service/src/modules/operators/index.ts';
import { reconcileBalances } from '../../../service/src/modules/transfers/index.ts';
import { openSimulatorControl } from '../../harness/invariants/open-simulator-control.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 30_000 };
const account = { sortCode: '180002', accountNumber: '00000190' };

let journey: Journey;
let secret: string;
beforeAll(async () => {
  journey = await openJourney();
  ({ secret } = await createOperatorSecret(journey.sandbox.tools, 'Ada', null));
});
afterAll(() => journey.close());

const operate = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, `/api/operator${path}`, { secret, body });

const deposit = async (amountPence: number): Promise<void> => {
  const control = await openSimulatorControl(journey.outside);
  const from = { ...account, name: 'Some Body' };
  await control.deposit({ account, from, reference: 'x', amountPence });
};
const openWith = async (openingPence: number): Promise<void> => {
  await (await openSimulatorControl(journey.outside)).setHubAccount({ ...account, openingPence });
};

/** Compared without patience, until the operator is shown this. */
const shows = (expected: object) =>
  waitUntil(async () => {
    await reconcileBalances(journey.sandbox.tools, 0);
    const { body } = await operate('POST', '/books/verify');
    expect(body.bankBalances).toMatchObject([{ environment: 'SANDBOX', ...expected }]);
    return body.bankBalances[0];
  }, patience);

const cases = async (status: string) => {
  const { data } = (await operate('GET', `/cases?status=${status}&size=100`)).body;
  return data.filter(({ kind }: { kind: string }) => kind === 'BANK_BALANCE_DIFFERS');
};
const openCase = () =>
  waitUntil(async () => {
    await reconcileBalances(journey.sandbox.tools, 0);
    const [found] = await cases('OPEN');
    if (found) return found;
    throw new Error('no case is open');
  }, patience);

test('the balance of each report is compared, and a difference is a case until it ends', async () => {
  const id = await journey.create({ enableTips: false });
  await journey.payer.pay(id, 'approve');
  await journey.becomes(id, 'COMPLETED ACSC');
  await deposit(500);
  const right = await shows({
    balancePence: '1750',
    differencePence: '0',
    reconciledPence: '1750',
  });
  expect([right.reconciledAt, await cases('OPEN')]).toEqual([expect.any(String), []]);

  await openWith(300);
  await deposit(100);
  await shows({ balancePence: '2150', differencePence: '300', reconciledPence: '1750' });
  expect((await openCase()).evidence).toMatchObject({
    ...{ bankPence: '2150', booksPence: '1850', differencePence: '300' },
  });
  await openWith(0);
  await deposit(100);
  await shows({ differencePence: '0', reconciledPence: '1950' });
  expect([await cases('OPEN'), (await cases('RESOLVED')).length]).toEqual([[], 1]);
});

test('what a person has explained is no case until it changes', async () => {
  await openWith(-70);
  await deposit(100);
  await shows({ differencePence: '-70', reconciledPence: '1950' });
  const { caseId } = await openCase();
  const resolution = 'The bank charged for the month.';
  expect((await operate('POST', `/cases/${caseId}/resolve`, { resolution })).status).toBe(200);
  await shows({ differencePence: '-70', reconciledPence: '1980' });
  expect(await cases('OPEN')).toEqual([]);
  await openWith(-100);
  await deposit(100);
  await shows({ differencePence: '-100' });
  expect((await openCase()).evidence).toMatchObject({ differencePence: '-100' });
});
