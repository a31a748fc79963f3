import type { FastifyInstance } from 'fastify';
import { limits } from '#simulator/limits.ts';
import { behaviours } from '../behaviours.ts';
import type { HubTools } from '../hub-tools.ts';
import { bookDeposit, type Deposit } from '../operations/book-deposit.ts';
import { showAccount } from '../operations/show-account.ts';
import { orderBehaviour, pauseHub, resumeHub } from '../store/controls.ts';
import { setAccountTerms } from '../store/hub-accounts.ts';
import { listMessages } from '../store/list-messages.ts';
import {
  queueTransferFault,
  type TransferFaultKind,
  type TransferFaultOperation,
  transferFaultKinds,
  transferFaultOperations,
} from '../store/transfer-faults.ts';

// The caller has shown the control token before any of these is reached.
export const transferControlRoutes = async (
  app: FastifyInstance,
  tools: HubTools,
  wake: () => void,
): Promise<void> => {
  const { pool } = tools;
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
    async ({ query }) => ({ messages: await listMessages(pool, query.after) }),
  );
  app.post<{ Body: AccountTermsBody }>(
    '/transfers/account',
    { schema: { body: termsBody } },
    async ({ body: { openingPence, ...terms } }) => {
      await setAccountTerms(pool, { ...terms, openingPence: BigInt(openingPence) });
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
      await orderBehaviour(pool, body.endToEndId, body.behaviour);
      return { ordered: true };
    },
  );
  app.post<{ Body: PauseBody }>(
    '/transfers/pause',
    { schema: { body: pauseBody } },
    async (call) => {
      await pauseHub(pool, call.body.ultimateDebtorIds);
      return { paused: true };
    },
  );
  app.post<{ Body: PauseBody }>(
    '/transfers/resume',
    { schema: { body: pauseBody } },
    async (call) => {
      await resumeHub(pool, call.body.ultimateDebtorIds);
      return { paused: false };
    },
  );
  app.post<{ Body: FaultBody }>(
    '/transfers/faults',
    { schema: { body: faultBody } },
    async ({ body: { operation, kind, times = 1 } }, reply) => {
      await queueTransferFault(pool, operation, kind, times);
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
  readonly operation: TransferFaultOperation;
  readonly kind: TransferFaultKind;
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
    operation: { enum: transferFaultOperations },
    kind: { enum: transferFaultKinds },
    times: { type: 'integer', minimum: 1, maximum: limits.faultsPerCall },
  },
  ['operation', 'kind'],
);
