import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Journey } from '../../harness/open-journey.ts';
import type { SandboxReply } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 30_000 };

type Opened = {
  readonly journey: Journey;
  readonly collecting: () => Promise<object>;
  readonly deposit: (amountPence: number) => Promise<void>;
  readonly credits: () => Promise<SandboxReply>;
};

/** PAYOUT-9, beside the credits that are read because of it. */
export const describeNotices = (opened: () => Opened): void => {
  /** How many notices of the bank came, and how many the worker has followed. */
  const notices = async () => {
    const [row] = await opened().journey.sandbox.tools.database.system<
      object,
      { noticed: number; followed: number }
    >(
      {
        name: 'test_notices',
        text: 'select noticed::int, followed::int from bank_notice',
        valueNames: [],
      },
      {},
    );
    return row ?? { noticed: 0, followed: 0 };
  };

  /** As the hub sends it, signed so long ago and about this account. */
  const sendNotice = async (change: { agoMs?: number; account?: object; secret?: string } = {}) => {
    const text = await readFile(
      `${opened().journey.outside.trustFolder}/registration.json`,
      'utf8',
    );
    const { secret: signing = JSON.parse(text).transfers.noticeSecret } = change;
    const body = JSON.stringify({
      id: 'n',
      account: change.account ?? (await opened().collecting()),
    });
    const stamp = Math.floor((Date.now() - (change.agoMs ?? 0)) / 1000);
    const digest = createHmac('sha256', signing).update(`${stamp}.${body}`).digest('hex');
    const answer = await fetch(`${opened().journey.sandbox.url}/api/rails/bank-notices/sandbox`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'hub-signature': `t=${stamp},v1=${digest}` },
      body,
    });
    return answer.status;
  };

  test('has its messages read', async () => {
    const before = await notices();
    const isListed = (amount: string) =>
      waitUntil(async () =>
        (await opened().credits()).body.data.some(
          (each: { amount: string }) => each.amount === amount,
        ),
      );
    // One whose messages the worker has read by itself is not sent.
    for (let pounds = 7_000; (await notices()).noticed === before.noticed; pounds += 1) {
      await opened().deposit(pounds * 100);
      await isListed(`${pounds}.00`);
    }
    await waitUntil(async () => {
      const { noticed, followed } = await notices();
      return followed === noticed;
    }, patience);
  });

  test('that is doubled changes nothing but that they are read again', async () => {
    const before = (await opened().credits()).body.totalCount;
    expect([await sendNotice(), await sendNotice()]).toEqual([200, 200]);
    await waitUntil(async () => {
      const { noticed, followed } = await notices();
      return followed === noticed;
    }, patience);
    expect((await opened().credits()).body.totalCount).toBe(before);
  });

  test.each([
    ['forged', { secret: 'another' }, 400],
    ['late', { agoMs: 301_000 }, 400],
    // Far enough ahead that the time until it is read does not bring it near.
    ['from the future', { agoMs: -360_000 }, 400],
    ['of no account', { account: [] }, 200],
    ['of another account', { account: { sortCode: '180002', accountNumber: '1' } }, 200],
  ])('that is %s is not followed', async (_, change, status) => {
    const { noticed } = await notices();
    expect(await sendNotice(change)).toBe(status);
    expect((await notices()).noticed).toBe(noticed);
  });

  test('that is too long or unsigned is refused', async () => {
    const url = `${opened().journey.sandbox.url}/api/rails/bank-notices/sandbox`;
    const send = async (body: string) => (await fetch(url, { method: 'POST', body })).status;
    expect(await send('x'.repeat(5_000))).toBe(413);
    expect(await send('{}')).toBe(400);
  });
};
