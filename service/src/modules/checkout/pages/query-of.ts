import type { FastifyRequest } from 'fastify';
import { amountOf } from '../input/amount-query.ts';
import { type Fields, text } from '../input/fields.ts';
import { payerIdFor, payerSecretOf } from '../input/payer-id-for.ts';
import { rememberedBankOf } from '../input/remember-bank.ts';
import { hasStarted } from '../input/started-path.ts';
import type { PageQuery } from '../views/view-sources.ts';
import { localeOf, scenarioOf } from './remember-choices.ts';

const maxSearchCharacters = 60;
const maxIdCharacters = 40;

export const queryOf = (request: FastifyRequest, paymentRequestId: string): PageQuery => {
  const query = (request.query ?? {}) as Fields;
  const secret = payerSecretOf(request);
  return {
    locale: localeOf(request),
    scenario: scenarioOf(request),
    stays: text(query.stay) !== '',
    receiptRequested: text(query.receipt) === 'asked',
    search: text(query.search).slice(0, maxSearchCharacters),
    institutionId: text(query.institutionId) || null,
    tryAgain: text(query.again) !== '',
    amount: amountOf(query),
    requiresAmount: text(query.step) === 'amount',
    way: text(query.way) === 'card' ? 'CARD' : null,
    paymentIdempotencyId: text(query.payment).slice(0, maxIdCharacters) || null,
    selectedBankId: text(query.selectedBank) || null,
    hasStarted: hasStarted(request, paymentRequestId),
    rememberedBankId: rememberedBankOf(request),
    payerId: secret === null ? null : payerIdFor(secret, paymentRequestId),
  };
};
