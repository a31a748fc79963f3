import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { banks } from '#simulator/bank/banks.ts';
import { magicLogins } from '#simulator/bank/magic-logins.ts';
import type { Clock } from '#simulator/bank/ports.ts';
import {
  type CardFaultRequest,
  cardFaultSchema,
  isCardFaultRequest,
} from '#simulator/cards/card-control-routes.ts';
import type { Cards } from '#simulator/cards/open-cards.ts';
import { limits } from '#simulator/limits.ts';
import {
  advanceAccountClocks,
  type ConsentChange,
  changeAccountConsents,
  consentChanges,
  listAccountConsents,
} from '#simulator/store/control-account-consents.ts';
import { advanceClocks, listPayments, paymentForecast } from '#simulator/store/control-payments.ts';
import {
  type Fault,
  faultKinds,
  faultOperations,
  faultStore,
} from '#simulator/store/fault-store.ts';
import type { Pool } from '#simulator/store/open-pool.ts';
import type { TransferHub } from '#simulator/transfers/open-transfer-hub.ts';

export type ControlParts = {
  readonly token: string;
  readonly pool: Pool;
  readonly clock: Clock;
};

export const controlRoutes = async (
  app: FastifyInstance,
  parts: ControlParts,
  cards: Pick<Cards, 'control' | 'advance' | 'injectFault'>,
  hub: Pick<TransferHub, 'control' | 'advance'>,
): Promise<void> => {
  const { pool, clock } = parts;
  const faults = faultStore(pool);
  app.addHook('onRequest', async (request, reply) => {
    if (isBearer(request.headers.authorization, parts.token)) return;
    await reply.code(401).send({ message: 'A control call needs the control token.' });
  });

  app.get<{ Querystring: PaymentsQuery }>(
    '/payments',
    { schema: { querystring: paymentsQuery } },
    async ({ query }) =>
      listPayments(pool, {
        consentIds: query.consentIds?.split(',').filter((id) => id !== ''),
        page: query.page,
        pageSize: query.pageSize,
        now: clock.now(),
      }),
  );
  app.post<{ Body: Advance }>(
    '/clock/advance',
    { schema: { body: advance } },
    async ({
      body: { consentIds = [], paymentIntentIds = [], endToEndIds = [], milliseconds },
    }) => ({
      moved:
        (await advanceClocks(pool, consentIds, milliseconds)) +
        (await advanceAccountClocks(pool, consentIds, milliseconds)) +
        (await cards.advance(paymentIntentIds, milliseconds)) +
        (await hub.advance(endToEndIds, milliseconds)),
    }),
  );
  app.post<{ Body: { readonly consentIds: readonly string[] } }>(
    '/clock/forecast',
    { schema: { body: forecast } },
    async ({ body }) => ({ payments: await paymentForecast(pool, body.consentIds, clock.now()) }),
  );
  app.post<{ Body: BankFaultRequest | CardFaultRequest }>(
    '/faults',
    { schema: { body: { anyOf: [fault, cardFaultSchema] } } },
    async ({ body }, reply) => {
      if (isCardFaultRequest(body)) await cards.injectFault(body);
      else await faults.queue({ milliseconds: undefined, status: undefined, times: 1, ...body });
      return reply.code(201).send({ times: 1, ...body });
    },
  );
  await app.register(cards.control);
  await app.register(hub.control);
  await app.register((scope) => accountControlRoutes(scope, parts));
  app.get('/faults', async () => ({ remaining: await faults.count() }));
  app.delete('/faults', async () => ({ removed: await faults.clear() }));
  app.get('/magic', async () => magicLogins);
};

const isBearer = (header: string | undefined, token: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
};

type BankFaultRequest = Partial<Fault> & Pick<Fault, 'bankId' | 'operation' | 'kind'>;

type PaymentsQuery = {
  readonly consentIds?: string;
  readonly page: number;
  readonly pageSize: number;
};

const paymentsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    consentIds: { type: 'string' },
    page: { type: 'integer', minimum: 0, default: 0 },
    pageSize: { type: 'integer', minimum: 1, maximum: limits.controlPageSize, default: 100 },
  },
};

type Advance = {
  readonly consentIds?: readonly string[];
  readonly paymentIntentIds?: readonly string[];
  readonly endToEndIds?: readonly string[];
  readonly milliseconds: number;
};

const ids = {
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  maxItems: limits.consentsPerControlCall,
};

const advance = {
  type: 'object',
  required: ['milliseconds'],
  anyOf: [
    { required: ['consentIds'] },
    { required: ['paymentIntentIds'] },
    { required: ['endToEndIds'] },
  ],
  additionalProperties: false,
  properties: {
    consentIds: ids,
    paymentIntentIds: ids,
    endToEndIds: ids,
    milliseconds: { type: 'integer', minimum: 1, maximum: limits.clockAdvanceMs },
  },
};

const forecast = {
  type: 'object',
  required: ['consentIds'],
  additionalProperties: false,
  properties: { consentIds: ids },
};

const fault = {
  type: 'object',
  required: ['bankId', 'operation', 'kind'],
  properties: {
    bankId: { enum: banks.map((bank) => bank.id) },
    operation: { enum: faultOperations },
    kind: { enum: faultKinds },
    times: { type: 'integer', minimum: 1, maximum: limits.faultsPerCall },
    milliseconds: { type: 'integer', minimum: 0, maximum: limits.faultSlownessMs },
    status: { type: 'integer', minimum: 400, maximum: 599 },
  },
};

type Parts = { readonly pool: Pool; readonly clock: Clock };

// The caller has shown the control token before any of these is reached.
const accountControlRoutes = async (
  app: FastifyInstance,
  { pool, clock }: Parts,
): Promise<void> => {
  app.get<{ Querystring: { consentIds: string } }>(
    '/account-consents',
    { schema: { querystring: listQuery } },
    async ({ query }) => listAccountConsents(pool, query.consentIds.split(',')),
  );
  app.post<{ Body: ChangeBody }>(
    '/account-consents',
    { schema: { body: changeBody } },
    async ({ body: { consentIds, change } }) => ({
      changed: await changeAccountConsents(pool, consentIds, change, clock.now()),
    }),
  );
};

type ChangeBody = { readonly consentIds: readonly string[]; readonly change: ConsentChange };

const listQuery = {
  type: 'object',
  required: ['consentIds'],
  additionalProperties: false,
  properties: { consentIds: { type: 'string', minLength: 1 } },
};

const changeBody = {
  type: 'object',
  required: ['consentIds', 'change'],
  additionalProperties: false,
  properties: {
    consentIds: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      maxItems: limits.consentsPerControlCall,
    },
    change: { enum: consentChanges },
  },
};
