import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type OperatorService,
  openOperator,
} from '../../../../test/journeys/operator/open-operator.ts';
import type { BankRail } from '../../rails/bank-rail.ts';
import { bankRails } from '../payments/index.ts';
import { paymentJobs } from '../payments/jobs.ts';
import { submit } from '../payments/test/submit.ts';
import { batch, detachment, emptyTables, type Ids, plantedWork } from './test/planted-work.ts';

let service: OperatorService;
let owner: pg.Client;
beforeAll(async () => {
  service = await openOperator();
  owner = new pg.Client({
    connectionString: service.databaseUrl,
    options: '-c search_path=florin -c session_replication_role=replica',
  });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

const listed = async (query = '') => {
  const { status, body } = await service.operate('GET', `/stuck-work${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const hurry = (kind: string, workId: string, environment = 'sandbox', merchantId?: string) =>
  service.operate(
    'POST',
    `/merchants/${merchantId ?? service.merchant.merchantId}/${environment}` +
      `/stuck-work/${kind}/${workId}/hurry`,
    {},
  );

const railThat = (readPayment: BankRail['readPayment']) =>
  bankRails(
    { SANDBOX: { ...service.bank.rail, readPayment }, PRODUCTION: null },
    { SANDBOX: 'SIMULATOR_URL', PRODUCTION: 'PRODUCTION_BANK_RAIL' },
  );

test('a poll that fails again and again is listed with why, and tried when an operator says so', async () => {
  const id = await submit(service, service.bankId, 'PDNG');
  const { rows } = await owner.query(
    'select attempt_id from attempt where payment_request_id = $1',
    [id],
  );
  const [{ attempt_id: attemptId }] = rows;
  let calls = 0;
  let isBroken = true;
  const bankRail = railThat(async (state) => {
    calls += 1;
    if (isBroken) throw new Error('the answer of the bank cannot be read, ask ada@bank.example');
    return {
      kind: 'STATUS',
      state,
      status: { isoCode: 'ACSC', isoName: 'Settled', changedAt: null },
    };
  });
  const jobs = paymentJobs({ ...service.tools, bankRails: bankRail });
  const poll = async () => {
    await makeDue();
    await jobs.pollBanks();
  };
  const makeDue = () =>
    owner.query(
      `update attempt_poll set leased_until = null, poll_at = now() - interval '1 second',
         watch_from = now() - interval '1 second' where attempt_id = $1`,
      [attemptId],
    );
  expect((await hurry('POLL_BANK', attemptId)).status).toBe(404);
  for (let failures = 1; failures < 6; failures += 1) {
    await poll();
    expect((await listed()).totalCount).toBe(0);
    expect((await hurry('POLL_BANK', attemptId)).status).toBe(200);
  }
  await poll();
  expect(await listed()).toMatchObject({
    totalCount: 1,
    kinds: [{ kind: 'POLL_BANK', title: 'Read a payment at its bank', count: 1 }],
    data: [
      {
        ...{ kind: 'POLL_BANK', workId: attemptId, paymentRequestId: id, environment: 'SANDBOX' },
        ...{ merchantId: service.merchant.merchantId, businessName: 'Corner Coffee' },
        ...{ attempts: 6, canHurry: true, nextAt: expect.stringMatching(/Z$/) },
        lastFailure: 'the answer of the bank cannot be read, ask …',
      },
    ],
  });
  await poll();
  expect(calls).toBe(6);
  const all = await Promise.all([1, 2, 3].map(() => hurry('POLL_BANK', attemptId)));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await listed()).data).toMatchObject([{ canHurry: false, nextAt: null }]);
  isBroken = false;
  await makeDue();
  await Promise.all([jobs.pollBanks(), jobs.pollBanks()]);
  expect((await service.status(id)).body.status).toBe('COMPLETED');
  expect(calls).toBe(7);
  expect((await listed()).totalCount).toBe(0);
  expect((await hurry('POLL_BANK', attemptId)).status).toBe(404);
});

describe('what is overdue, or was tried too often', () => {
  const clear = () => owner.query(emptyTables);
  const plant = (work: (ids: Ids) => string): Promise<string> => {
    const ids = { workId: randomUUID(), merchantId: service.merchant.merchantId };
    return owner.query(work(ids)).then(() => ids.workId);
  };

  test('is found of every kind, and not what is a little late', async () => {
    await clear();
    for (const [, , healthy] of plantedWork) await plant(healthy);
    expect(await listed()).toMatchObject({ totalCount: 0, data: [], kinds: [] });
    await clear();
    const planted: string[] = [];
    for (const [kind, stuck] of plantedWork)
      planted.push(`${kind} ${nameOf(kind, await plant(stuck))}`);
    const { data, totalCount } = await listed('?size=100');
    const named = ({ kind, workId }: { kind: string; workId: string }) => `${kind} ${workId}`;
    expect(data.map(named).sort()).toEqual(planted.sort());
    expect(totalCount).toBe(planted.length);
    const { data: polls } = await listed('?kind=POLL_CARD');
    expect(polls.map(named)).toEqual(planted.filter((each) => each.startsWith('POLL_CARD')));
  });

  test('is tried now, once or often, only where it waits, of its merchant and environment', async () => {
    await clear();
    const workId = await plant(detachment({ due_at: `now() + interval '5 hours'`, attempts: '9' }));
    const { merchantId: otherId } = await service.newMerchant();
    for (const [environment, merchantId] of [
      ['production', service.merchant.merchantId],
      ['sandbox', otherId],
    ])
      expect((await hurry('DETACH_CARD', workId, environment, merchantId)).status).toBe(404);
    for (const [kind, id] of [
      ['DETACH_CARD', randomUUID()],
      ['DETACH_CARD', `x' or true`],
      ['CLOSE_PAYOUT', workId],
      ['REMOVE_BANK_DATA', workId],
    ] as const)
      expect((await hurry(kind, encodeURIComponent(id))).status, `${kind} ${id}`).toBe(404);
    expect((await hurry('WEATHER', workId)).status).toBe(400);
    const { body } = await service.operate('GET', '/audit-records?size=2');
    expect(body.data.at(-1)).toMatchObject({
      ...{ action: 'hurryWork', environment: 'SANDBOX', outcome: 'NOT_FOUND' },
      detail: { kind: 'REMOVE_BANK_DATA', workId },
    });
    expect((await listed('?kind=DETACH_CARD')).data).toMatchObject([{ canHurry: true }]);
    await Promise.all([hurry('DETACH_CARD', workId), hurry('DETACH_CARD', workId)]);
    expect((await listed('?kind=DETACH_CARD')).data).toMatchObject([
      { canHurry: false, nextAt: null, attempts: 9 },
    ]);
  });

  test('keeps the lease of a worker that hands a batch to the bank', async () => {
    await clear();
    const leased = {
      due_at: `now() - interval '9 minutes'`,
      leased_until: `now() + interval '50 seconds'`,
    };
    const workId = (await plant(batch({ ...leased, submissions: '7' }))).slice(0, 30);
    expect((await hurry('SUBMIT_TRANSFERS', workId)).status).toBe(200);
    expect((await listed('?kind=SUBMIT_TRANSFERS')).data).toMatchObject([
      { workId, isRunning: true, attempts: 7, canHurry: false },
    ]);
    const { rows } = await owner.query(
      `select status, submissions, leased_until > now() as is_leased,
         due_at < now() - interval '8 minutes' as is_due from transfer_batch`,
    );
    expect(rows).toEqual([{ status: 'OPEN', submissions: 7, is_leased: true, is_due: true }]);
  });

  test('is listed in pages, what is stuck longest first', async () => {
    await clear();
    const made: string[] = [];
    for (const minutes of [20, 40, 30]) {
      const at = `now() - interval '${minutes} minutes'`;
      made.push(await plant(detachment({ due_at: at, written_at: at })));
    }
    const pages = [];
    for (const page of [0, 1, 2, 3]) pages.push(await listed(`?size=1&page=${page}`));
    expect(pages.map(({ totalCount }) => totalCount)).toEqual([3, 3, 3, 3]);
    const found = pages.flatMap(({ data }) =>
      data.map(({ workId }: { workId: string }) => made.indexOf(workId)),
    );
    expect(found).toEqual([1, 2, 0]);
  });
});

const nameOf = (kind: string, workId: string): string =>
  ({ SUBMIT_TRANSFERS: workId.slice(0, 30), READ_BANK_MESSAGES: 'PRODUCTION' })[kind] ?? workId;
