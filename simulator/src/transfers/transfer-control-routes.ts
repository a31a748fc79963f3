import type { FastifyInstance } from 'fastify';
import { limits } from '#simulator/limits.ts';
import { behaviours } from './behaviours.ts';
import type { Account, Entry, HubTools, NamedAccount } from './model.ts';
import { insertEntries, listEntries, readBalance, setAccountTerms } from './store/accounts.ts';
import { orderBehaviour, pauseHub, resumeHub } from './store/controls.ts';
import { listMessages } from './store/messages.ts';

// The caller has shown the control token before any of these is reached.
export const transferControlRoutes = async (
  app: FastifyInstance,
  tools: HubTools,
  wake: () => void,
): Promise<void> => {
  const { database, faults } = tools;
  app.get('/magic/transfers', async () =>
    behaviours.map(({ name, does, reference, accountNumber, amountPence }) => ({
      ...{ name, does, reference, accountNumber },
      amountPence: Number(amountPence),
    })),
  );
  app.get<{ Querystring: { account: string } }>(
    '/transfers/account',
    { schema: { querystring: accountQuery } },
    async ({ query }) => showAccount(tools, query.account),
  );
  app.get<{ Querystring: { after: string } }>(
    '/transfers/messages',
    { schema: { querystring: messagesQuery } },
    async ({ query }) => ({ messages: await listMessages(database, query.after) }),
  );
  app.post<{ Body: AccountTermsBody }>(
    '/transfers/account',
    { schema: { body: termsBody } },
    async ({ body: { openingPence, ...terms } }) => {
      await setAccountTerms(database, { ...terms, openingPence: BigInt(openingPence) });
      return { set: true };
    },
  );
  app.post<{ Body: Deposit }>(
    '/transfers/deposits',
    { schema: { body: depositBody } },
    async ({ body }) => {
      await bookDeposit(tools, body);
      wake();
      return { booked: true };
    },
  );
  app.post<{ Body: { endToEndId: string; behaviour: string } }>(
    '/transfers/behaviours',
    { schema: { body: behaviourBody } },
    async ({ body }) => {
      await orderBehaviour(database, body.endToEndId, body.behaviour);
      return { ordered: true };
    },
  );
  app.post<{ Body: PauseBody }>(
    '/transfers/pause',
    { schema: { body: pauseBody } },
    async (call) => {
      await pauseHub(database, call.body.ultimateDebtorIds);
      return { paused: true };
    },
  );
  app.post<{ Body: PauseBody }>(
    '/transfers/resume',
    { schema: { body: pauseBody } },
    async (call) => {
      await resumeHub(database, call.body.ultimateDebtorIds);
      return { paused: false };
    },
  );
  app.post<{ Body: FaultBody }>(
    '/transfers/faults',
    { schema: { body: faultBody } },
    async ({ body: { operation, kind, times = 1 } }, reply) => {
      await faults.queue('transfers', operation, { kind }, times);
      return reply.code(201).send({ operation, kind, times });
    },
  );
};

type AccountTermsBody = {
  readonly sortCode: string;
  readonly accountNumber: string;
  readonly name: string;
  readonly openingPence: number;
  readonly mayOverdraw: boolean;
};

type PauseBody = {
  readonly ultimateDebtorIds?: readonly string[];
};

type FaultBody = {
  readonly operation: string;
  readonly kind: string;
  readonly times?: number;
};

const sortCode = { type: 'string', pattern: '^\\d{6}$' };
const accountNumber = { type: 'string', pattern: '^\\d{8}$' };
const text = { type: 'string', maxLength: 140 };

const object = (properties: object, required: readonly string[]) => ({
  ...{ type: 'object', additionalProperties: false, properties, required },
});

const accountQuery = object({ account: { type: 'string', pattern: '^\\d{14}$' } }, ['account']);

const messagesQuery = object({ after: { ...text, default: '' } }, []);

const termsBody = object(
  {
    ...{ sortCode, accountNumber },
    name: { ...text, default: '' },
    openingPence: { type: 'integer', default: 0 },
    mayOverdraw: { type: 'boolean', default: true },
  },
  ['sortCode', 'accountNumber'],
);

const depositBody = object(
  {
    account: object({ sortCode, accountNumber }, ['sortCode', 'accountNumber']),
    from: object({ sortCode, accountNumber, name: text }, ['sortCode', 'accountNumber', 'name']),
    amountPence: { type: 'integer', minimum: 1 },
    reference: text,
    endToEndId: { type: 'string', maxLength: 35 },
    isReversal: { type: 'boolean' },
    isDebit: { type: 'boolean' },
    returnedWith: { type: 'string', pattern: '^[A-Z0-9]{4}$' },
    statedAheadMs: { type: 'integer', minimum: 0, maximum: limits.clockAdvanceMs },
  },
  ['account', 'from', 'amountPence', 'reference'],
);

const behaviourBody = object(
  { endToEndId: text, behaviour: { enum: behaviours.map(({ name }) => name) } },
  ['endToEndId', 'behaviour'],
);

const pauseBody = object(
  {
    ultimateDebtorIds: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      maxItems: limits.consentsPerControlCall,
    },
  },
  [],
);

const faultBody = object(
  {
    operation: { enum: ['submit', 'find', 'list', 'acknowledge'] },
    kind: { enum: ['down', 'cut-before', 'cut-after'] },
    times: { type: 'integer', minimum: 1, maximum: limits.faultsPerCall },
  },
  ['operation', 'kind'],
);

type Deposit = {
  readonly account: Account;
  readonly from: NamedAccount;
  readonly amountPence: number;
  readonly reference: string;
  readonly endToEndId?: string;
  // The bank takes it from the account again.
  readonly isReversal?: boolean;
  // A debit or a return that the client did not order so: what a bank says need not be right.
  readonly isDebit?: boolean;
  readonly returnedWith?: string;
  // How far ahead of real time the account's statement has it, as a merchant's moved clock.
  readonly statedAheadMs?: number;
};

// A direct deposit: a client finds no transfer that it belongs to, unless it lies about one.
const bookDeposit = async ({ database, clock }: HubTools, deposit: Deposit): Promise<void> => {
  const { account, from, amountPence, reference, endToEndId, returnedWith, statedAheadMs } =
    deposit;
  const now = clock.now();
  const entry = {
    ...{ account, reference, endToEndId, counterparty: from, reason: returnedWith },
    ...kindOf(deposit),
    amountPence: BigInt(amountPence),
    showsId: true,
    afterMs: 0,
    statedAheadMs,
  } as const;
  await insertEntries(database, [entry], now);
};

const kindOf = ({
  isReversal,
  isDebit,
  returnedWith,
}: Deposit): Pick<Entry, 'direction' | 'kind'> => {
  if (isReversal) return { direction: 'DBIT', kind: 'reversal' };
  if (isDebit) return { direction: 'DBIT', kind: 'transfer' };
  return { direction: 'CRDT', kind: returnedWith === undefined ? 'deposit' : 'return' };
};

// The hub's own books of an account, to compare with the client's.
const showAccount = async ({ database, clock }: HubTools, text: string) => {
  const account = { sortCode: text.slice(0, 6), accountNumber: text.slice(6) };
  const now = clock.now();
  const { balancePence } = await readBalance(database, account, now);
  const entries = await listEntries(database, account, now);
  return {
    ...account,
    balancePence: Number(balancePence),
    entries: entries.map((entry) => ({
      direction: entry.direction,
      kind: entry.kind,
      amountPence: Number(entry.amountPence),
      endToEndId: entry.endToEndId ?? null,
      counterparty: entry.counterparty,
      reference: entry.reference,
      reason: entry.reason ?? null,
      bookedAt: new Date(entry.statedAt).toISOString(),
    })),
  };
};
