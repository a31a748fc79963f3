import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Bank } from '../bank.ts';
import { accountVisit } from './account-visit.ts';
import { endedPage, type VisitAnswer } from './bank-page.ts';
import { connectionRoutes } from './connection-routes.ts';
import { type Fields, openJourney, type Raw, type VisitSteps, withConsent } from './journey.ts';
import { paymentVisit } from './payment-visit.ts';
import { bankStyles } from './styles.ts';

type StepName = keyof VisitSteps<unknown>;

export const customerRoutes = (
  app: FastifyInstance,
  banks: ReadonlyMap<string, Bank>,
  autoCustomer: string | undefined,
): void => {
  // A customer who is here by itself presses every button at once.
  const isAutomatic = autoCustomer !== undefined;
  const stepOf = (step: StepName): StepName => (isAutomatic ? automatic[step] : step);
  const fieldsOf = ({ body }: FastifyRequest): Fields =>
    isAutomatic
      ? { username: autoCustomer, decision: 'approve' }
      : { ...(body as Fields | undefined) };
  const on = (method: 'GET' | 'POST', path: string, step: StepName) =>
    app.route({
      method,
      url: `/banks/:bankId/login/:uid${path}`,
      handler: (request, reply) => serve(banks, request, reply, stepOf(step), fieldsOf(request)),
    });
  on('GET', '', 'showLogin');
  on('POST', '', 'takeLogin');
  on('GET', '/approve', 'showApproval');
  on('POST', '/approve', 'takeDecision');
  connectionRoutes(app, banks);

  app.get<{ Params: { bankId: string } }>('/banks/:bankId/bank.css', async (request, reply) => {
    const bank = banks.get(request.params.bankId);
    if (!bank) return reply.code(404).send();
    reply.header('cache-control', 'max-age=300').type('text/css; charset=utf-8');
    return bankStyles(bank.profile);
  });
};

const automatic = {
  showLogin: 'takeLogin',
  takeLogin: 'takeLogin',
  showApproval: 'takeDecision',
  takeDecision: 'takeDecision',
} as const satisfies Record<StepName, StepName>;

const serve = async (
  banks: ReadonlyMap<string, Bank>,
  request: FastifyRequest,
  reply: FastifyReply,
  step: StepName,
  fields: Fields,
): Promise<FastifyReply> => {
  const { bankId } = request.params as { bankId: string };
  const bank = banks.get(bankId);
  if (!bank) return reply.code(404).send();
  const raw = { request: request.raw, response: reply.raw };
  const answer = await answerOf(bank, raw, step, fields);
  if ('redirect' in answer) return reply.redirect(answer.redirect, 303);
  return reply
    .code(answer.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(answer.page);
};

const answerOf = async (
  bank: Bank,
  raw: Raw,
  step: StepName,
  fields: Fields,
): Promise<VisitAnswer> => {
  const journey = await openJourney(bank.provider, raw);
  const { store } = bank.tools;
  const { id: bankId } = bank.profile;
  const consentId = journey?.consentId ?? '';
  const payment = journey && (await store.findConsent(bankId, consentId));
  if (payment) return paymentVisit[step](bank, withConsent(journey, payment), fields);
  const accounts = journey && (await store.findAccountConsent(bankId, consentId));
  if (accounts) return accountVisit[step](bank, withConsent(journey, accounts), fields);
  return { page: endedPage(bank.profile), status: 410 };
};
