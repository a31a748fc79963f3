import { bankIcon } from '@florin/checkout';
import type { FastifyInstance } from 'fastify';
import { environments } from '#kernel/environment.ts';
import type { BankRails } from '#modules/payments/index.ts';
import { rateClass } from '#platform/http/rate/limit-scope.ts';
import { type Fields, text } from '../input/fields.ts';

const daySeconds = 86_400;

/** A bank's letters on its colour: drawn here, since logos belong to the banks. */
export const serveBankIcons = (
  app: FastifyInstance,
  tools: { readonly bankRails: BankRails },
): void => {
  app.get('/bank-icons/:id.svg', rateClass('ASSET'), async (request, reply) => {
    const id = text((request.params as Fields).id);
    const bank = environments
      .flatMap((environment) => tools.bankRails.find(environment)?.institutions() ?? [])
      .find((each) => each.id === id);
    return reply
      .code(bank ? 200 : 404)
      .header('content-type', 'image/svg+xml')
      .header('cache-control', `public, max-age=${daySeconds}`)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(bankIcon(bank?.name ?? '?', bank?.colour ?? null));
  });
};
