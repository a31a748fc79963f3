import type { FastifyInstance } from 'fastify';
import type { BankStore } from '#simulator/bank/bank.ts';
import { banks } from '#simulator/bank/banks.ts';
import { magicLogins } from '#simulator/bank/magic-logins.ts';
import type { OidcRecords } from '#simulator/bank/oidc/oidc-records.ts';
import {
  type CardFaultRequest,
  cardFaultSchema,
  isCardFaultRequest,
} from '#simulator/cards/card-control-routes.ts';
import type { Cards } from '#simulator/cards/open-cards.ts';
import { limits } from '#simulator/limits.ts';
import {
  advanceConsents,
  demandLogin,
  listAccountConsents,
  listPayments,
  paymentForecast,
  revokeConsents,
} from '#simulator/store/control.ts';
import type { Database } from '#simulator/store/database.ts';
import type { Fault, Faults } from '#simulator/store/faults.ts';
import type { Clock } from '#simulator/system-clock.ts';
import type { TransferHub } from '#simulator/transfers/open-transfer-hub.ts';
import { faultKinds, faultOperations } from './inject-fault.ts';
import { refuseWithout } from './refuse-without.ts';

export type ControlParts = {
  readonly token: string;
  readonly database: Database;
  readonly store: BankStore;
  readonly oidcRecords: OidcRecords;
  readonly faults: Faults;
  readonly clock: Clock;
};

export const controlRoutes = async (
  app: FastifyInstance,
  parts: ControlParts,
  cards: Pick<Cards, 'control' | 'advance'>,
  hub: Pick<TransferHub, 'control' | 'advance' | 'advanceDebtors'>,
): Promise<void> => {
  const { database, store, clock, faults } = parts;
  refuseWithout(app, parts.token, { message: 'A control call needs the control token.' });

  const advance = async (consentIds: readonly string[], milliseconds: number) => {
    const moved = await advanceConsents(database, consentIds, milliseconds);
    for (const id of consentIds) store.forgetConsent(id);
    return moved;
  };
  app.get<{ Querystring: PaymentsQuery }>(
    '/payments',
    { schema: { querystring: paymentsQuery } },
    async ({ query }) =>
      listPayments(database, {
        consentIds: query.consentIds?.split(',').filter((id) => id !== ''),
        page: query.page,
        pageSize: query.pageSize,
        now: clock.now(),
      }),
  );
  app.post<{ Body: Advance }>(
    '/clock/advance',
    { schema: { body: advanceBody } },
    async ({
      body: {
        consentIds = [],
        paymentIntentIds = [],
        endToEndIds = [],
        ultimateDebtorIds = [],
        milliseconds,
      },
    }) => ({
      moved:
        (await advance(consentIds, milliseconds)) +
        (await cards.advance(paymentIntentIds, milliseconds)) +
        (await hub.advance(endToEndIds, milliseconds)) +
        (await hub.advanceDebtors(ultimateDebtorIds, milliseconds)),
    }),
  );
  app.post<{ Body: { readonly consentIds: readonly string[] } }>(
    '/clock/forecast',
    { schema: { body: object({ consentIds: ids }, ['consentIds']) } },
    async ({ body }) => ({
      payments: await paymentForecast(database, body.consentIds, clock.now()),
    }),
  );
  app.post<{ Body: BankFaultRequest | CardFaultRequest }>(
    '/faults',
    { schema: { body: { anyOf: [fault, cardFaultSchema] } } },
    async ({ body }, reply) => {
      const holder = isCardFaultRequest(body) ? 'cards' : body.bankId;
      await faults.queue(holder, body.operation, body, body.times ?? 1);
      return reply.code(201).send({ times: 1, ...body });
    },
  );
  app.get('/faults', async () => ({ remaining: await faults.count() }));
  app.delete('/faults', async () => ({ removed: await faults.clear() }));
  app.get('/magic', async () => magicLogins);
  app.get<{ Querystring: { consentIds: string } }>(
    '/account-consents',
    { schema: { querystring: listQuery } },
    async ({ query }) => listAccountConsents(database, query.consentIds.split(',')),
  );
  app.post<{ Body: ChangeBody }>(
    '/account-consents',
    { schema: { body: object({ consentIds: ids, change: { enum: changes } }, required) } },
    async ({ body: { consentIds, change } }) => ({
      changed: await changeConsents(parts, consentIds, change),
    }),
  );
  await app.register(cards.control);
  await app.register(hub.control);
};

const changes = ['revoke', 'demand-login', 'end-access', 'end-refresh'] as const;

type ChangeBody = {
  readonly consentIds: readonly string[];
  readonly change: (typeof changes)[number];
};

// What a customer, a bank or time does to consents.
const changeConsents = (
  { database, oidcRecords, clock }: ControlParts,
  ids: readonly string[],
  change: ChangeBody['change'],
): Promise<number> | number => {
  switch (change) {
    case 'revoke':
      return revokeConsents(database, ids, clock.now());
    case 'demand-login':
      return demandLogin(database, ids);
    case 'end-access':
      return oidcRecords.revokeTokens(ids, 'AccessToken');
    case 'end-refresh':
      return oidcRecords.revokeTokens(ids, 'AccessToken|RefreshToken');
  }
};

type BankFaultRequest = Fault & {
  readonly bankId: string;
  readonly operation: string;
  readonly times?: number;
};

type PaymentsQuery = {
  readonly consentIds?: string;
  readonly page: number;
  readonly pageSize: number;
};

const object = (properties: Readonly<Record<string, object>>, needed: readonly string[] = []) => ({
  ...{ type: 'object', additionalProperties: false, properties, required: needed },
});

const required = ['consentIds', 'change'];

const paymentsQuery = object({
  consentIds: { type: 'string' },
  page: { type: 'integer', minimum: 0, default: 0 },
  pageSize: { type: 'integer', minimum: 1, maximum: limits.controlPageSize, default: 100 },
});

const listQuery = object({ consentIds: { type: 'string', minLength: 1 } }, ['consentIds']);

type Advance = {
  readonly consentIds?: readonly string[];
  readonly paymentIntentIds?: readonly string[];
  readonly endToEndIds?: readonly string[];
  readonly ultimateDebtorIds?: readonly string[];
  readonly milliseconds: number;
};

const ids = {
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  maxItems: limits.consentsPerControlCall,
};

const advanced = ['consentIds', 'paymentIntentIds', 'endToEndIds', 'ultimateDebtorIds'] as const;

const advanceBody = {
  ...object(
    {
      ...Object.fromEntries(advanced.map((name) => [name, ids])),
      milliseconds: { type: 'integer', minimum: 1, maximum: limits.clockAdvanceMs },
    },
    ['milliseconds'],
  ),
  anyOf: advanced.map((name) => ({ required: [name] })),
};

const fault = {
  ...cardFaultSchema,
  required: ['bankId', ...cardFaultSchema.required],
  properties: {
    ...cardFaultSchema.properties,
    bankId: { enum: banks.map((bank) => bank.id) },
    operation: { enum: faultOperations },
    kind: { enum: faultKinds },
  },
};
