import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openPayer, type ReturnParameters } from '../harness/open-payer.ts';
import { waitUntil } from '../harness/wait-until.ts';
import type { Rig } from './open-rig.ts';

const patience = { withinMs: 90_000 };
const pauseMs = 100;

export type Step = 'create' | 'page' | 'start' | 'at bank' | 'return' | 'wait' | 'webhook';

/**
 * A customer and a shop that do not give up: they repeat a request that fails, as people reload a
 * page. `before` is called as each step begins, and may kill programs.
 */
export const payPersistently = async (rig: Rig, before: (step: Step) => void): Promise<string> => {
  const payer = openPayer(rig.url);
  before('create');
  const id = await again(() => createRequest(rig));
  before('page');
  await again(() => payer.readPage(id));
  let back: ReturnParameters | null = null;
  await waitUntil(async () => {
    const status = await again(() => readStatus(rig, id));
    if (status === 'COMPLETED') return true;
    if (status === 'PENDING') before('wait');
    else back = await goOn(payer, id, back, before);
    await sleep(pauseMs);
    return false;
  }, patience);
  before('webhook');
  return id;
};

type Payer = ReturnType<typeof openPayer>;

/** Returns with what the bank gave if that may still count, else starts again. */
const goOn = async (
  payer: Payer,
  id: string,
  back: ReturnParameters | null,
  before: (step: Step) => void,
): Promise<ReturnParameters | null> => {
  try {
    if (back) {
      before('return');
      const { status } = await payer.comeBack(back);
      return status === 303 ? null : back;
    }
    before('start');
    const address = await payer.start(id);
    if (!address.startsWith('http')) return null;
    before('at bank');
    return await payer.approve(address);
  } catch {
    return back;
  }
};

const createRequest = async (rig: Rig): Promise<string> => {
  const body = { customerId: 'c', orderId: 'o', amount: 12.5, expiresIn: 3_600_000 };
  const { paymentRequestId } = await callApi(rig, '/api/payments/process-payment', body);
  return String(paymentRequestId);
};

const readStatus = async (rig: Rig, id: string): Promise<string> =>
  String((await callApi(rig, `/api/payments/v1/payment-status/${id}`)).status);

/** Anything but 200 is no answer. */
export const callApi = async <Reply = Readonly<Record<string, unknown>>>(
  rig: Rig,
  path: string,
  body?: object,
  idempotencyKey?: string,
  method = body ? 'POST' : 'GET',
): Promise<Reply> => {
  const reply = await fetch(`${rig.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${rig.secret}`,
      'content-type': 'application/json',
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text}`);
  return JSON.parse(text);
};

export const again = <Value>(run: () => Promise<Value>): Promise<Value> =>
  waitUntil(async () => ({ value: await run() }), patience).then(({ value }) => value);

/**
 * What time alone would do, at once: leases of dead processes run out, and payments that wait for an
 * answer that cannot come any more fall due.
 */
export const letTimePass = async (rig: Rig, advanceMs = 61_000): Promise<void> => {
  const client = new pg.Client({ connectionString: rig.databaseUrl });
  await client.connect();
  await client.query(`set search_path = florin;
    update attempt set leased_until = null where leased_until is not null;
    update refund set leased_until = null where leased_until is not null;
    update transfer_batch set leased_until = null where leased_until is not null;
    update held_payment set until_business_at = 'epoch' where entry_key = '';
    update account_credit set due_at = now() where due_at is not null;
    update account_debit set due_at = now() where due_at is not null;
    delete from work_lease;
    update attempt_poll set leased_until = null where leased_until is not null;
    update delivery set leased_until = null where leased_until is not null and state = 'PENDING'`);
  await client.end();
  await callApi(rig, '/api/sandbox/clock', { advanceMs });
};
