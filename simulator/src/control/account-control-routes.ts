import type { FastifyInstance } from 'fastify';
import type { Clock } from '#simulator/bank/ports.ts';
import { limits } from '#simulator/limits.ts';
import {
  type ConsentChange,
  changeAccountConsents,
  consentChanges,
  listAccountConsents,
} from '#simulator/store/control-account-consents.ts';
import type { Pool } from '#simulator/store/open-pool.ts';

type Parts = { readonly pool: Pool; readonly clock: Clock };

// The caller has shown the control token before any of these is reached.
export const accountControlRoutes = async (
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
