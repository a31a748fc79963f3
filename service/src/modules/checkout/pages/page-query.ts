import type { FastifyRequest } from 'fastify';
import { amountOf } from '../input/amount-query.ts';
import { rememberedBankOf } from '../input/bank-cookie.ts';
import { payerIdFor, payerSecretOf } from '../input/payer-cookie.ts';
import { type Fields, text } from '../input/request-fields.ts';
import type { PageQuery } from '../views/view-sources.ts';
import { localeOf, scenarioOf } from './remember-choices.ts';

const mostSearchCharacters = 60;
const mostIdCharacters = 40;

export const queryOf = (request: FastifyRequest, paymentRequestId: string): PageQuery => {
  const query = (request.query ?? {}) as Fields;
  const secret = payerSecretOf(request);
  return {
    locale: localeOf(request),
    scenario: scenarioOf(request),
    stays: text(query.stay) !== '',
    receiptAsked: text(query.receipt) === 'asked',
    search: text(query.search).slice(0, mostSearchCharacters),
    institutionId: text(query.institutionId) || null,
    tryAgain: text(query.again) !== '',
    amount: amountOf(query),
    asksAmount: text(query.step) === 'amount',
    way: text(query.way) === 'card' ? 'CARD' : null,
    paymentIdempotencyId: text(query.payment).slice(0, mostIdCharacters) || null,
    rememberedBankId: rememberedBankOf(request),
    payerId: secret === null ? null : payerIdFor(secret, paymentRequestId),
  };
};
