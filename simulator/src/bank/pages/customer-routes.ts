import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Bank } from '../bank.ts';
import type { BankProfile } from '../banks.ts';
import { approveConsent } from '../payments/approve-consent.ts';
import { declineConsent } from '../payments/decline-consent.ts';
import { logIn } from '../payments/log-in.ts';
import { openCustomerAccounts } from '../payments/open-customer-accounts.ts';
import { approvePage } from './approve-page.ts';
import { type Journey, openJourney } from './journey.ts';
import { loginPage } from './login-page.ts';
import { noticePage } from './notice-page.ts';
import { bankStyles } from './styles.ts';

type Fields = Readonly<Record<string, unknown>>;
type Handler = (bank: Bank, journey: Journey, fields: Fields) => Promise<Answer>;
type Answer = { readonly page: string; readonly status?: number } | { readonly redirect: string };

const refusedByBank = {
  error: 'access_denied',
  error_description: 'U033: the customer did not authorise the payment',
};
const failedAtBank = { error: 'server_error', error_description: 'the bank failed' };

export const customerRoutes = (app: FastifyInstance, banks: ReadonlyMap<string, Bank>): void => {
  const on = (method: 'GET' | 'POST', path: string, handler: Handler) =>
    app.route({
      method,
      url: `/banks/:bankId/login/:uid${path}`,
      handler: (request, reply) => serve(banks, request, reply, handler),
    });
  on('GET', '', showLogin);
  on('POST', '', takeLogin);
  on('GET', '/approve', showApproval);
  on('POST', '/approve', takeDecision);

  app.get<{ Params: { bankId: string } }>('/banks/:bankId/bank.css', async (request, reply) => {
    const bank = banks.get(request.params.bankId);
    if (!bank) return reply.code(404).send();
    reply.header('cache-control', 'max-age=300').type('text/css; charset=utf-8');
    return bankStyles(bank.profile);
  });
};

const serve = async (
  banks: ReadonlyMap<string, Bank>,
  request: FastifyRequest,
  reply: FastifyReply,
  handler: Handler,
): Promise<FastifyReply> => {
  const { bankId } = request.params as { bankId: string };
  const bank = banks.get(bankId);
  if (!bank) return reply.code(404).send();
  const raw = { request: request.raw, response: reply.raw };
  const journey = await openJourney(bank.provider, bank.tools, bankId, raw);
  const answer = journey
    ? await handler(bank, journey, (request.body ?? {}) as Fields)
    : { page: endedPage(bank.profile), status: 410 };
  if ('redirect' in answer) return reply.redirect(answer.redirect, 303);
  return reply
    .code(answer.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(answer.page);
};

const showLogin: Handler = async (bank, journey) => {
  if (journey.isDecided) return { redirect: journey.returnTo };
  if (journey.consent.status !== 'AWAU') return decidedElsewhere(bank.profile);
  return { page: loginPage(bank.profile, loginAddress(bank, journey), journey.loginHint) };
};

const takeLogin: Handler = async (bank, journey, fields) => {
  if (journey.isDecided) return { redirect: journey.returnTo };
  const { consent } = journey;
  const loggedIn = await logIn(bank.tools, consent, String(fields.username ?? ''), journey.id);
  if (!loggedIn) return decidedElsewhere(bank.profile);
  switch (loggedIn.magic.atLogin) {
    case 'abandon':
      return { page: deadEndPage(bank.profile) };
    case 'fail':
      return { redirect: await journey.finish(failedAtBank) };
    case 'decline':
      await declineConsent(bank.tools, consent);
      return { redirect: await journey.finish(refusedByBank) };
    default:
      return { redirect: `${loginAddress(bank, journey)}/approve` };
  }
};

const showApproval: Handler = async (bank, journey) => {
  if (journey.isDecided) return { redirect: journey.returnTo };
  const { consent } = journey;
  if (consent.status !== 'AWAU') return decidedElsewhere(bank.profile);
  if (!hasLoggedIn(journey)) return { redirect: loginAddress(bank, journey) };
  const accounts = await accountsOffered(bank, journey);
  const now = bank.tools.clock.now();
  const choices = accounts.map(async (account) => ({
    account,
    balancePence: await bank.tools.store.balanceOf(account, now),
  }));
  const action = `${loginAddress(bank, journey)}/approve`;
  return {
    page: approvePage(bank.profile, { consent, accounts: await Promise.all(choices), action }),
  };
};

const takeDecision: Handler = async (bank, journey, fields) => {
  if (journey.isDecided) return { redirect: journey.returnTo };
  if (!hasLoggedIn(journey)) return { redirect: loginAddress(bank, journey) };
  const accounts = await accountsOffered(bank, journey);
  const account = accounts.find((each) => each.id === fields.account) ?? accounts[0];
  if (fields.decision === 'approve' && account)
    await approveConsent(bank.tools, journey.consent, account);
  else if (fields.decision === 'decline') await declineConsent(bank.tools, journey.consent);
  else return { redirect: `${loginAddress(bank, journey)}/approve` };
  return finishAsDecided(bank, journey);
};

// Read back: of two submissions the first one decided, and both go the same way.
const finishAsDecided = async (bank: Bank, journey: Journey): Promise<Answer> => {
  const consent = await bank.tools.store.findConsent(bank.profile.id, journey.consent.id);
  if (consent?.interactionId !== journey.id) return decidedElsewhere(bank.profile);
  if (consent.status === 'AUTH') return { redirect: await journey.finish(await journey.grant()) };
  if (consent.status === 'RJCT') return { redirect: await journey.finish(refusedByBank) };
  return decidedElsewhere(bank.profile);
};

const hasLoggedIn = ({ consent, id }: Journey): boolean =>
  consent.login !== undefined && consent.interactionId === id;

// A payment request may name the account to pay from; then only that one is offered, if it exists.
const accountsOffered = async (bank: Bank, { consent }: Journey) => {
  const accounts = await openCustomerAccounts(bank.tools, bank.profile, consent.login ?? '');
  const initiation = consent.wireData.Initiation as { DebtorAccount?: { Identification: string } };
  const wanted = initiation.DebtorAccount?.Identification;
  const named = accounts.filter((each) => `${each.sortCode}${each.accountNumber}` === wanted);
  return named.length > 0 ? named : accounts;
};

const loginAddress = (bank: Bank, journey: Journey): string =>
  `/banks/${bank.profile.id}/login/${journey.id}`;

const decidedElsewhere = (bank: BankProfile): Answer => {
  const title = 'This payment was already decided';
  const text = 'You can close this page and go back to the shop.';
  return { page: noticePage(bank, { title, text }), status: 409 };
};

const endedPage = (bank: BankProfile): string => {
  const title = 'This page has ended';
  const text =
    'It was used already, or too much time went by. Go back to the shop to see how the payment stands.';
  return noticePage(bank, { title, text });
};

const deadEndPage = (bank: BankProfile): string => {
  const title = 'Something went wrong';
  const text = 'The bank cannot continue and does not send you back. Close this page.';
  return noticePage(bank, { title, text });
};
