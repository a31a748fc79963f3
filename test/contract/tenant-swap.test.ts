import { afterAll, beforeAll, expect, test } from 'vitest';
import { requirementOf } from '../../contract/dashboard/index.ts';
import type { Operation } from '../../contract/operation.ts';
import { dashboardOperations, operations } from '../../contract/operations.ts';
import { type SignedIn, signIn } from '../harness/dashboard/sign-in.ts';
import { makeRows } from './fuzz/make-rows.ts';
import { type Fuzzed, openFuzzed } from './fuzz/open-fuzzed.ts';

// An owner names the rows of another business in every address of the dashboard that has an id in it.

type Reply = { readonly status: number; readonly body: Record<string, unknown> };
type Member = {
  readonly merchantId: string;
  readonly person: SignedIn;
  readonly changes: () => Promise<readonly string[]>;
};

let fuzzed: Fuzzed;
let intruder: Member;
let victim: Member;
let ids: Readonly<Record<string, string>>;

const join = async (): Promise<Member> => {
  const { merchant, changes } = await fuzzed.openLane();
  const { merchantId } = merchant;
  const person = await signIn(fuzzed.tools, { merchantId, origin: fuzzed.address });
  return { merchantId, person, changes };
};

const call = async (
  { merchantId, person }: Member,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> => {
  const base = `${fuzzed.address}/dashboard/api/merchants/${merchantId}/sandbox`;
  const reply = await fetch(`${base}${path}`, {
    method,
    headers: { ...person.headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
};

beforeAll(async () => {
  fuzzed = await openFuzzed(1);
  [intruder, victim] = [await join(), await join()];
  const tenant = { merchantId: victim.merchantId, environment: 'SANDBOX' } as const;
  ids = await makeRows(fuzzed, tenant, (...sent) => call(victim, ...sent));
  await Promise.all([intruder.changes(), victim.changes()]);
});
afterAll(() => fuzzed.close());

const account = { sortCode: '107999', accountNumber: '88837491', name: 'Eve' };
const query = '?from=2026-01-01&before=2026-02-01&page=0&itemsPerPage=10';
/** What an address needs beside the id, so that it is the id that is refused. */
const bodies: Readonly<Record<string, object>> = {
  enterSandboxRefundAccount: { account },
  setStoreAccount: account,
  setPaymentCodeStatus: { status: 'DISABLED' },
  setEndpointStatus: { status: 'PAUSED' },
  mailPaymentLink: { email: 'eve@example.com' },
  mailReceipt: { email: 'eve@example.com' },
  declineRefund: { reason: 'No' },
  changeRole: { role: 'owner' },
  changeSecret: { name: 'Eve' },
  changeStore: { locationName: 'Eve' },
  replayWebhooks: { onlyFailed: true },
  saveDisputeEvidence: { version: 0, evidence: {} },
  submitDisputeAnswer: { version: 0 },
  addDisputeFile: { kind: 'receipt', fileName: 'a.pdf', content: 'JVBERi0=' },
};

const named: readonly Operation[] = [...operations, ...dashboardOperations].filter(
  ({ id, path }) => requirementOf(id) && path.includes(':'),
);
const addressOf = ({ id, path }: Operation): string =>
  path.replace(/:(\w+)/g, (_, name: string) =>
    String(id.endsWith('TillSale') ? ids.saleId : (ids[name] ?? `no ${name}`)),
  ) + (id === 'listBankTransactions' ? query : '');
const bodyOf = ({ id, method }: Operation): object | undefined =>
  method === 'GET' || method === 'DELETE' ? undefined : (bodies[id] ?? {});
// Whoever would let money leave takes the turn of their own business first.
const isOfAct = (name: string): boolean => !/audit_record|outgoing_turn/.test(name);

test('there are enough of them', () => {
  expect(named.length).toBeGreaterThan(45);
});

test.each(named.map((operation) => [operation.id, operation] as const))(
  '%s answers 404 for a row of another business, and changes nothing',
  async (_, operation) => {
    const reply = await call(intruder, operation.method, addressOf(operation), bodyOf(operation));
    expect([reply.status, reply.body.name], JSON.stringify(reply.body)).toEqual([404, 'NOT_FOUND']);
    const changed = [...(await intruder.changes()), ...(await victim.changes())].filter(isOfAct);
    expect(changed).toEqual([]);
  },
);

const last = ['DELETE', 'PUT', 'POST', 'GET'];
// A card is deleted before its customer.
const harmlessFirst = [...named].sort(
  (a, b) => last.indexOf(b.method) - last.indexOf(a.method) || b.path.length - a.path.length,
);

// Each waits for a worker as long as it may: so both at once.
const waiting = harmlessFirst.filter(({ id }) =>
  /^(listBankTransactions|getBankBalance)$/.test(id),
);
test('listBankTransactions and getBankBalance find the same row for their own business', async () => {
  const replies = await Promise.all(
    waiting.map((operation) =>
      call(victim, operation.method, addressOf(operation), bodyOf(operation)),
    ),
  );
  for (const reply of replies) expect(reply.status, JSON.stringify(reply.body)).not.toBe(404);
});

const others = harmlessFirst.filter((operation) => !waiting.includes(operation));
test.each(others.map((operation) => [operation.id, operation] as const))(
  '%s finds the same row for its own business',
  async (_, operation) => {
    const reply = await call(victim, operation.method, addressOf(operation), bodyOf(operation));
    expect(reply.status, JSON.stringify(reply.body)).not.toBe(404);
  },
);
