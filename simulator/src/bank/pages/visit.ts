import type { InteractionResults } from 'oidc-provider';
import type { Bank } from '../bank.ts';
import { magicOf } from '../magic-logins.ts';
import { customerAccounts, loginNameOf } from '../payments/customers.ts';
import { noticePage } from './bank-page.ts';
import type { Journey } from './journey.ts';
import { loginPage } from './login-page.ts';

export type VisitAnswer =
  | { readonly page: string; readonly status?: number }
  | { readonly redirect: string };

export type Fields = Readonly<Record<string, unknown>>;

type Decided = { readonly id: string; readonly status: string } & {
  readonly bankId: string;
  readonly login?: string;
  readonly interactionId?: string;
};

// What differs between approving a payment and sharing accounts.
export type VisitKind<Consent extends Decided> = {
  readonly name: 'payment' | 'accounts';
  readonly waiting: string;
  readonly refused: string;
  readonly decided: { readonly title: string; readonly text: string };
  readonly find: (bank: Bank, id: string) => Promise<Consent | undefined>;
  readonly isWaiting: (bank: Bank, consent: Consent) => boolean;
  readonly approvalPage: (bank: Bank, consent: Consent, action: string) => Promise<string>;
  // These two answer whether it was this one that decided.
  readonly approve: (bank: Bank, consent: Consent, fields: Fields) => Promise<boolean>;
  readonly decline: (bank: Bank, consent: Consent) => Promise<boolean>;
};

export type StepName = 'showLogin' | 'takeLogin' | 'showApproval' | 'takeDecision';

// One page of a visit, or what its buttons do.
export const visitStep = async <Consent extends Decided>(
  kind: VisitKind<Consent>,
  step: StepName,
  bank: Bank,
  journey: Journey,
  fields: Fields,
): Promise<VisitAnswer> => {
  const consent = await kind.find(bank, journey.consentId);
  if (!consent) return endedPage(bank);
  if (journey.isDecided) return { redirect: journey.returnTo };
  const address = `/banks/${bank.profile.id}/login/${journey.id}`;
  const visit = { kind, bank, journey, consent, address };
  const isLogin = step === 'showLogin' || step === 'takeLogin';
  if (step !== 'takeDecision' && !kind.isWaiting(bank, consent)) return decidedElsewhere(visit);
  const hasLoggedIn = consent.login !== undefined && consent.interactionId === journey.id;
  if (!isLogin && !hasLoggedIn) return { redirect: address };
  return steps[step](visit, fields);
};

type Visit<Consent extends Decided> = {
  readonly kind: VisitKind<Consent>;
  readonly bank: Bank;
  readonly journey: Journey;
  readonly consent: Consent;
  readonly address: string;
};

type Step = <Consent extends Decided>(
  visit: Visit<Consent>,
  fields: Fields,
) => Promise<VisitAnswer>;

const showLogin: Step = async ({ bank, kind, journey, address }) => ({
  page: loginPage(bank.profile, {
    action: address,
    waiting: kind.waiting,
    loginHint: journey.loginHint,
  }),
});

const takeLogin: Step = async (visit, fields) => {
  const { bank, kind, journey, consent } = visit;
  const { store, clock } = bank.tools;
  const login = loginNameOf(String(fields.username ?? ''));
  const accounts = customerAccounts(bank.profile, login, clock.now());
  if (!(await store.recordLogin(kind.name, consent, login, journey.id, accounts)))
    return decidedElsewhere(visit);
  switch (magicOf(login).atLogin) {
    case 'abandon': {
      const text = 'The bank cannot continue and does not send you back. Close this page.';
      return { page: noticePage(bank.profile, { title: 'Something went wrong', text }) };
    }
    case 'fail':
      return { redirect: await journey.finish(failedAtBank) };
    case 'decline':
      await kind.decline(bank, consent);
      return { redirect: await journey.finish(refused(visit)) };
    default:
      return { redirect: `${visit.address}/approve` };
  }
};

const showApproval: Step = async ({ kind, bank, consent, address }) => ({
  page: await kind.approvalPage(bank, consent, `${address}/approve`),
});

const takeDecision: Step = async (visit, fields) => {
  const { kind, bank, journey, consent } = visit;
  const isApproval = fields.decision === 'approve';
  if (!isApproval && fields.decision !== 'decline') return { redirect: `${visit.address}/approve` };
  const isFirst = isApproval
    ? await kind.approve(bank, consent, fields)
    : await kind.decline(bank, consent);
  // Of two submissions the first one decided, and both go the same way.
  const mine = isApproval ? 'AUTH' : 'RJCT';
  const status = isFirst ? mine : await decisionOf(visit);
  if (status === 'AUTH') return { redirect: await journey.finish(await journey.grant()) };
  if (status === 'RJCT') return { redirect: await journey.finish(refused(visit)) };
  return decidedElsewhere(visit);
};

const steps = { showLogin, takeLogin, showApproval, takeDecision } satisfies Record<StepName, Step>;

const decisionOf = async <Consent extends Decided>({ kind, bank, journey }: Visit<Consent>) => {
  const consent = await kind.find(bank, journey.consentId);
  return consent?.interactionId === journey.id ? consent.status : undefined;
};

const failedAtBank = { error: 'server_error', error_description: 'the bank failed' };

const refused = <Consent extends Decided>({ kind }: Visit<Consent>): InteractionResults => ({
  error: 'access_denied',
  error_description: `U033: the customer did not authorise ${kind.refused}`,
});

const decidedElsewhere = <Consent extends Decided>({ kind, bank }: Visit<Consent>) => ({
  page: noticePage(bank.profile, kind.decided),
  status: 409,
});

export const endedPage = ({ profile }: Bank): VisitAnswer => {
  const title = 'This page has ended';
  const text =
    'It was used already, or too much time went by. Go back to the shop to see how the payment stands.';
  return { page: noticePage(profile, { title, text }), status: 410 };
};
