import { listCredits as listOperation, matchCredit } from '@florin/contract';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import { listCredits } from './list-credits.ts';
import { matchByOperator } from './match-by-operator.ts';
import type { CreditTools } from './match-credits.ts';

export const operatorRoutes = (tools: CreditTools): readonly Route[] => [
  operatorRoute(listOperation, ({ query }) => listCredits(tools, query.status ?? null, query)),
  operatorRoute(matchCredit, ({ params, body }, { name }) => {
    const { merchantId, environment, paymentRequestId, attemptId, evidence } = body;
    const tenant = {
      merchantId,
      environment: environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION',
    } as const;
    const match = { tenant, paymentRequestId, attemptId, evidence, actor: name };
    return matchByOperator(tools, params.creditId, match);
  }),
];
