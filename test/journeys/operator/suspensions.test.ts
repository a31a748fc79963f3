import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  changeNotifications,
  createSecret,
  getMe,
  getSettings,
  listSecrets,
} from '../../../contract/dashboard/index.ts';
import { limits } from '../../../contract/index.ts';
import * as bankFeed from '../../../service/src/modules/bank-feed/index.ts';
import { memberRoutes } from '../../../service/src/modules/dashboard/index.ts';
import { mailMembers } from '../../../service/src/modules/dashboard/notifications.ts';
import { memberCalls } from '../../../service/src/modules/dashboard/test/member-calls.ts';
import { suspendMerchant } from '../../../service/src/modules/merchants/index.ts';
import { loadPayment } from '../../../service/src/modules/payments/index.ts';
import { submit, tryToStart } from '../../../service/src/modules/payments/test/submit.ts';
import { listCaughtMails, personRoutes } from '../../../service/src/modules/people/index.ts';
import { staticBankData } from '../../../service/src/rails/static-bank-data.ts';
import { signIn } from '../../harness/dashboard/sign-in.ts';
import { waitUntil } from '../../harness/wait-until.ts';
import { type OperatorService, openOperator } from './open-operator.ts';

let service: OperatorService;
beforeAll(async () => {
  service = await openOperator(({ bankRails, ...tools }) => {
    const publicUrl = 'https://pay.example';
    const linkBank = staticBankData(tools.clock, publicUrl);
    const bankDataRails = bankFeed.bankDataRails(
      { SANDBOX: () => [linkBank], PRODUCTION: () => [] },
      { SANDBOX: '-', PRODUCTION: '-' },
    );
    return [
      ...memberRoutes({ ...tools, forgetSecret: () => undefined, bankRails }),
      ...personRoutes({ ...tools, openSignUp: false }),
      ...bankFeed.merchantRoutes({ ...tools, bankDataRails, publicUrl }),
    ];
  });
});
afterAll(() => service.close());
afterEach(async () => {
  await resume();
});

const reason = 'Many payers said that nothing was delivered.';
const path = () => `/merchants/${service.merchant.merchantId}/sandbox/suspension`;
const suspend = (body: object = { reason }) => service.operate('PUT', path(), body);
const resume = () => service.operate('DELETE', path());
const rows = <Row>(text: string, values?: readonly string[]) => service.rows<Row>(text, values);
const create = (key?: string) =>
  service.create({}, key ? { headers: { 'idempotency-key': key } } : {});
const said = ({ status, body }: { status: number; body: { name?: string } }) =>
  [status, body.name] as const;
const suspended = [403, 'MERCHANT_SUSPENDED'];

describe('an operator suspends a merchant', () => {
  test('with a reason, and lists, pages and members show it until it is resumed', async () => {
    const before = (await suspend()).body;
    const shown = {
      environment: 'SANDBOX',
      reason,
      suspendedAt: expect.stringMatching(/Z$/),
      suspendedBy: 'Ada',
      resumedAt: null,
      resumedBy: null,
    };
    expect(before).toEqual({ suspensions: [shown] });
    const { merchantId } = service.merchant;
    const listed = await service.operate('GET', '/merchants?status=SUSPENDED');
    expect(listed.body).toMatchObject({
      totalCount: 1,
      data: [{ merchantId, suspensions: [shown] }],
    });
    expect((await service.operate('GET', '/merchants?status=ACTIVE')).body.data).toEqual([]);
    expect((await service.operate('GET', '/merchants?status=GONE')).status).toBe(400);
    const merchant = await service.operate('GET', `/merchants/${merchantId}`);
    expect(merchant.body.suspensions).toEqual([shown]);
    const after = (await resume()).body;
    expect(after.suspensions).toMatchObject([{ resumedBy: 'Ada', resumedAt: expect.any(String) }]);
    expect((await service.operate('GET', '/merchants?status=SUSPENDED')).body.totalCount).toBe(0);
    expect((await service.operate('GET', '/merchants')).body.data[0].suspensions).toEqual([]);
  });

  test('twice, and resumes twice, with the answer of the first time', async () => {
    const [one, other] = await Promise.all([suspend(), suspend({ reason: 'Another' })]);
    const again = await suspend({ reason: 'A third' });
    expect([one.status, other.status, again.status]).toEqual([200, 200, 200]);
    expect(one.body).toEqual(other.body);
    expect(again.body).toEqual(one.body);
    const ended = await resume();
    expect((await resume()).body).toEqual(ended.body);
    const counted = `select count(*)::int as n from merchant_suspension where reason <> $1`;
    expect(await rows(counted, [reason])).toHaveLength(1);
    const open = 'select count(*)::int as n from merchant_suspension where resumed_at is null';
    expect(await rows(open)).toEqual([{ n: 0 }]);
  });

  test('while another resumes it: switch and history agree whatever comes first', async () => {
    for (let round = 0; round < 5; round += 1) await Promise.all([suspend(), resume(), suspend()]);
    const disagree = `select count(*)::int as n from merchant_switch w
      where (w.suspension_id is not null) <> exists (select from merchant_suspension s
        where s.merchant_id = w.merchant_id and s.environment = w.environment
          and s.resumed_at is null)`;
    expect(await rows(disagree)).toEqual([{ n: 0 }]);
  });

  test('and nothing of the reason is in the audit records', async () => {
    await suspend();
    const found = await rows<{ detail: object }>(
      `select detail from audit_record where action = 'suspendMerchant'`,
    );
    expect(found.length).toBeGreaterThan(0);
    expect(JSON.stringify(found)).not.toContain('delivered');
  });

  test.each([
    [{}, 'reason'],
    [{ reason: ' ' }, 'reason'],
    [{ reason: 'x'.repeat(limits.suspensionReasonLength + 1) }, 'reason'],
  ])('not with %j', async (body, field) => {
    const refused = await suspend(body);
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, field]);
    expect((await create()).status).toBe(200);
  });

  test('only one that exists, as an operator', async () => {
    const unknown = path().replace(service.merchant.merchantId, service.tools.ids.uuid());
    expect(said(await service.operate('PUT', unknown, { reason }))).toEqual([404, 'NOT_FOUND']);
    expect(said(await service.operate('DELETE', unknown))).toEqual([404, 'NOT_FOUND']);
    const own = await service.request('PUT', `/api/operator${path()}`, { body: { reason } });
    expect(own.status).toBe(401);
    expect((await create()).status).toBe(200);
  });
});

describe('of a suspended merchant', () => {
  test('no payment request and no attempt starts, and what was answered before still is', async () => {
    const made = await create('made-before');
    const id = await service.created();
    await suspend();
    expect(said(await create())).toEqual(suspended);
    expect(said(await create('refused'))).toEqual(suspended);
    expect((await create('made-before')).body).toEqual(made.body);
    const started = await tryToStart(service, id, service.bankId);
    expect(started).toMatchObject({ kind: 'NOT_STARTED', why: 'SUSPENDED' });
    await resume();
    // Nothing was tried under it.
    expect((await create('refused')).status).toBe(200);
    expect((await tryToStart(service, id, service.bankId)).kind).toBe('STARTED');
  });

  test('what is under way is finished, cancelled and read', async () => {
    const pending = await submit(service, service.bankId, 'PDNG');
    const open = await service.created();
    await suspend();
    const payment = await loadPayment(service.tools.database, service.sandbox, pending);
    const attemptId = payment?.attempts[0]?.attemptId;
    const outcome = `${path().replace('/suspension', '')}/payments/${pending}/${attemptId}/outcome`;
    const found = { outcome: 'COMPLETED', evidence: 'Statement' };
    expect((await service.operate('POST', outcome, found)).body.status).toBe('PAID');
    expect((await service.status(pending)).body.status).toBe('COMPLETED');
    expect(await service.eventsOf(pending)).toContain('PAYMENTS_STATUS');
    expect((await service.cancel(open)).status).toBe(200);
  });

  test('another environment and another merchant are as before', async () => {
    const other = await service.newMerchant({ businessName: 'Tea House' });
    await suspend();
    expect((await service.create({}, { secret: other.secrets.SANDBOX.secret })).status).toBe(200);
    await resume();
    const production = path().replace('sandbox', 'production');
    expect((await service.operate('PUT', production, { reason })).status).toBe(200);
    expect((await create()).status).toBe(200);
    await service.operate('DELETE', production);
  });

  test('members see why, have it mailed, make no secret and link no bank', async () => {
    const mailNotices = async () => {
      for (const job of mailMembers(service.tools)) await job.run();
    };
    // Those of other tests, before anybody is there to read them.
    await mailNotices();
    const { merchantId } = service.merchant;
    const cashier = await signIn(service.tools, { merchantId, role: 'cashier' });
    const owner = await signIn(service.tools, { merchantId });
    const call = memberCalls(service, owner.headers);
    await call(changeNotifications, { body: { kinds: ['SUSPENSION'], failingHours: 24 } });
    const link = () =>
      service.request('POST', '/api/bank/auth/initiate', {
        body: { redirectUrl: 'https://shop.example/back' },
      });
    const linked = await link();
    await suspend();
    const shown = { reason, suspendedAt: expect.stringMatching(/Z$/) };
    const me = await service.request(getMe.method, getMe.path, {
      secret: null,
      headers: cashier.headers,
    });
    expect(me.body.memberships[0].suspensions).toEqual([{ environment: 'sandbox', ...shown }]);
    expect((await call(getSettings)).body.suspension).toEqual(shown);
    const made = await call(createSecret, { body: { name: 'Till' } });
    expect(said(made)).toEqual(suspended);
    expect((await call(listSecrets)).body.data).toHaveLength(1);
    expect(said(await link())).toEqual(suspended);
    const ofOperator = `${path().replace('/suspension', '')}/secrets`;
    expect((await service.operate('POST', ofOperator, { name: 'Till' })).status).toBe(200);
    await resume();
    expect((await call(getSettings)).body.suspension).toBeNull();
    expect((await call(createSecret, { body: { name: 'Till 2' } })).status).toBe(200);
    expect([linked.status, (await link()).status]).toEqual([200, 200]);
    await mailNotices();
    const mails = await listCaughtMails({ ...service.tools, dashboardUrl: 'http://x' }, 100);
    const own = mails.filter(({ to }) => to === owner.email).map(({ subject }) => subject);
    expect(own.sort()).toEqual([
      'Sandbox: Corner Coffee: the business is resumed',
      'Sandbox: Corner Coffee: the business is suspended',
    ]);
  });
});

describe('a suspension that races with what it stops', () => {
  const counted = async () => {
    const [row] = await rows<{ requests: number; attempts: number }>(
      `select (select count(*)::int from payment_request) as requests,
         (select count(*)::int from attempt) as attempts`,
    );
    return row;
  };

  test('answers after the statements that began before it, and nothing comes later', async () => {
    // Holds the key of a payment request that has begun, so that its statement waits.
    const holder = new pg.Client(service.databaseUrl);
    await holder.connect();
    await holder.query('begin');
    await holder.query(
      `insert into florin.idempotency (merchant_id, environment, operation, idempotency_key,
         body_sha256, status_code, reply) values ($1, 'SANDBOX', 'requestPayment', 'held',
         decode(repeat('00', 32), 'hex'), 200, '')`,
      [service.merchant.merchantId],
    );
    const begun = create('held');
    const waiting = `select 1 from pg_locks where not granted and locktype = 'advisory'`;
    await waitUntil(async () => (await holder.query(waiting)).rowCount === 1);
    const looked = vi.spyOn(service.tools.database, 'system');
    const before = await counted();
    let hasAnswered = false;
    // With what is committed by then: two answers may reach their callers in any order.
    const suspending = suspend().then(() => {
      hasAnswered = true;
      return counted();
    });
    const looks = () =>
      looked.mock.calls.filter(([{ name }]) => name === 'merchant_switch_readers').length;
    await waitUntil(async () => looks() > 3);
    expect(said(await create())).toEqual(suspended);
    expect(hasAnswered).toBe(false);
    looked.mockRestore();
    await holder.end();
    expect((await begun).status).toBe(200);
    expect(await suspending).toEqual({ ...before, requests: (before?.requests ?? 0) + 1 });
  });

  test('stops a crowd: what is there when it answers is all there will be', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => service.created()));
    const crowd = [
      ...Array.from({ length: 60 }, () => create().then(({ status }) => status)),
      ...ids.map((id) => tryToStart(service, id, service.bankId).then(({ kind }) => kind)),
    ];
    await suspend();
    const there = await counted();
    const more = Array.from({ length: 20 }, () => create().then(({ status }) => status));
    const kinds = new Set(await Promise.all([...crowd, ...more]));
    expect(kinds).toContain(403);
    expect(await counted()).toEqual(there);
  });

  test('stops an attempt that was decided before it and is written after it', async () => {
    const id = await service.created();
    const { database } = service.tools;
    const batched: typeof database.batched = async (tenant, batch, item) => {
      if (batch.statement.name === 'payment_commit_change') await suspend();
      return database.batched(tenant, batch, item);
    };
    const late = { ...service, tools: { ...service.tools, database: { ...database, batched } } };
    const started = await tryToStart(late, id, service.bankId);
    expect(started).toMatchObject({ kind: 'NOT_STARTED', why: 'SUSPENDED' });
    expect((await loadPayment(database, service.sandbox, id))?.attempts).toEqual([]);
  });

  test('stands when its program is killed before it answers, and is answered again', async () => {
    const { database } = service.tools;
    const killed = { ...database, system: () => Promise.reject(new Error('killed')) };
    const tools = { ...service.tools, database: killed };
    const by = { name: 'Grace' };
    await expect(suspendMerchant(tools, service.sandbox, 'Fraud', by)).rejects.toThrow('killed');
    expect(said(await create())).toEqual(suspended);
    const again = await suspend();
    expect(again.body.suspensions[0]).toMatchObject({ reason: 'Fraud', suspendedBy: 'Grace' });
  });
});
