import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAccountConsent } from '../accounts/account-consents.ts';
import type { Bank } from '../bank.ts';
import type { BankProfile } from '../banks.ts';
import { accountVisit } from './account-visit.ts';
import { pageOfConnections } from './connections-page.ts';
import { openJourney } from './journey.ts';
import { paymentVisit } from './payment-visit.ts';
import { bankStyles } from './styles.ts';
import { endedPage, type Fields, type StepName, type VisitAnswer, visitStep } from './visit.ts';

type OpenBank = (id: string) => Promise<Bank> | undefined;
type Step = (bank: Bank, request: FastifyRequest, reply: FastifyReply) => Promise<VisitAnswer>;

export const customerRoutes = (
  app: FastifyInstance,
  profiles: readonly BankProfile[],
  openBank: OpenBank,
  autoCustomer: string | undefined,
): void => {
  const on = (method: 'GET' | 'POST', path: string, step: Step) =>
    app.route({
      method,
      url: `/banks/:bankId${path}`,
      handler: async (request, reply) => {
        const bank = await openBank((request.params as { bankId: string }).bankId);
        if (!bank) return reply.code(404).send();
        const answer = await step(bank, request, reply);
        if ('redirect' in answer) return reply.redirect(answer.redirect, 303);
        return reply
          .code(answer.status ?? 200)
          .type('text/html; charset=utf-8')
          .send(answer.page);
      },
    });
  // A customer who is here by itself presses every button at once.
  const visit =
    (step: StepName, pressed: StepName): Step =>
    (bank, request, reply) =>
      autoCustomer === undefined
        ? serveVisit(bank, request, reply, step, { ...(request.body as Fields | undefined) })
        : serveVisit(bank, request, reply, pressed, {
            username: autoCustomer,
            decision: 'approve',
          });
  on('GET', '/login/:uid', visit('showLogin', 'takeLogin'));
  on('POST', '/login/:uid', visit('takeLogin', 'takeLogin'));
  on('GET', '/login/:uid/approve', visit('showApproval', 'takeDecision'));
  on('POST', '/login/:uid/approve', visit('takeDecision', 'takeDecision'));
  const connections: Step = async (bank, { body }) => ({
    page: await pageOfConnections(bank, (body ?? {}) as Fields),
  });
  on('GET', '/connections', connections);
  on('POST', '/connections', connections);

  app.get<{ Params: { bankId: string } }>('/banks/:bankId/bank.css', async (request, reply) => {
    const profile = profiles.find(({ id }) => id === request.params.bankId);
    if (!profile) return reply.code(404).send();
    reply.header('cache-control', 'max-age=300').type('text/css; charset=utf-8');
    return bankStyles(profile);
  });
};

const serveVisit = async (
  bank: Bank,
  request: FastifyRequest,
  reply: FastifyReply,
  step: StepName,
  fields: Fields,
): Promise<VisitAnswer> => {
  const raw = { request: request.raw, response: reply.raw };
  const journey = await openJourney(bank.provider, raw);
  if (!journey) return endedPage(bank);
  return isAccountConsent(journey.consentId)
    ? visitStep(accountVisit, step, bank, journey, fields)
    : visitStep(paymentVisit, step, bank, journey, fields);
};
