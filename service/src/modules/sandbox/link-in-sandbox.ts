import { type BodyOf, linkInSandbox as described, failures, type ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import {
  type Authorisation,
  finishLink,
  isLinkOver,
  type LinkTools,
  linkUrl,
  refreshNow,
  requireAuthorisation,
  startAtBank,
  wayBack,
} from '#modules/bank-feed/index.ts';
import { badField } from '#platform/http/error-reply.ts';
import { type DecideOnce, type Route, route } from '#platform/http/route.ts';
import { beginOnce } from '#platform/idempotency/save-reply.ts';
import type { ReturnParameters } from '#rails/bank-rail.ts';
import type { PayerBehaviour, PayerRail } from '#rails/payer-rail.ts';
import { simulatorAway, visitSimulator } from './visit-simulator.ts';

type Body = BodyOf<typeof described>;
type Outcome = NonNullable<Body['outcome']>;
type LinkInSandboxTools = LinkTools & {
  readonly payerRail: PayerRail | null;
  readonly simulatorSetting: string;
  readonly publicUrl: string;
};

const defaultBank = 'mock-sandbox-v1';

const behaviours = {
  SUCCESS: 'approve',
  FAILED: 'bank-error',
  CANCELLED: 'decline',
} as const satisfies Record<Outcome, PayerBehaviour>;

/** Choice of the bank, login, approval and return as a customer does them, without a browser. */
const linkInSandbox = async (
  tools: LinkInSandboxTools,
  tenant: Tenant,
  authorisationId: string,
  { institutionId = defaultBank, outcome = 'SUCCESS', account }: Body,
  decideOnce: DecideOnce = (decide) => decide(),
): Promise<ReplyOf<typeof described>> => {
  const found = await requireAuthorisation(tools, tenant, authorisationId);
  checkBank(tools, tenant, institutionId);
  const isStatic = tools.bankDataRails.find(tenant.environment, institutionId)?.isStatic ?? false;
  if (isStatic && account) throw badField('account', 'this bank shows the same accounts to all');
  const { isRepeat } = await beginOnce(tools, decideOnce, async () => {
    requireOpen(found);
    return authorisationId;
  });
  if (isRepeat && !isOpen(found)) return linked(tools, found);
  const order = { institutionId, visitor: { address: '127.0.0.1' } };
  const started = await startAtBank(tools, tenant, authorisationId, order);
  if (started.kind === 'CANNOT_START') throw notOpen();
  if (started.kind === 'BANK_FAILED') throw simulatorAway('bank', 'link');
  const oauthState = started.authorisation.oauthState ?? '';
  const back = isStatic
    ? { state: oauthState, ...staticReturns[outcome] }
    : await visitBank(tools, started.authorisationUrl, behaviours[outcome], account);
  const finished = await finishLink(tools, back, oauthState, order.visitor);
  if (finished.kind !== 'FINISHED') throw simulatorAway('bank', 'link');
  return linked(tools, finished.authorisation);
};

const linked = async (
  tools: LinkInSandboxTools,
  authorisation: Authorisation,
): Promise<ReplyOf<typeof described>> => {
  const { tenant, authorisationId, status } = authorisation;
  // A program died while it exchanged the code: a job says what became of it.
  if (status === 'EXCHANGING') throw simulatorAway('bank', 'link');
  if (status === 'LINKED') await refreshNow(tools, tenant, authorisationId);
  const returned = await wayBack(tools, authorisation);
  return { redirectUrl: returned?.url ?? linkUrl(tools.publicUrl, authorisation) };
};

/** What the login of the bank with static data would answer. */
const staticReturns: Readonly<Record<Outcome, ReturnParameters>> = {
  SUCCESS: { code: 'approved' },
  FAILED: { error: 'server_error' },
  CANCELLED: { error: 'access_denied' },
};

const checkBank = (tools: LinkInSandboxTools, { environment }: Tenant, institutionId: string) => {
  const known = tools.bankDataRails.institutions(environment).filter(({ isEnabled }) => isEnabled);
  if (known.some(({ id }) => id === institutionId)) return;
  throw badField(
    'institutionId',
    'institutionId is not a bank that shows accounts',
    `institutionId must be one of ${known.map(({ id }) => id).join(', ')}.`,
  );
};

const isOpen = ({ status }: Authorisation): boolean => status === 'OPEN' || status === 'AT_BANK';

const requireOpen = (authorisation: Authorisation): void => {
  if (!isOpen(authorisation) || isLinkOver(authorisation)) throw notOpen();
};

const notOpen = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'This link was used, it has ended, or banks were chosen too often on it.',
  });

const visitBank = async (
  tools: LinkInSandboxTools,
  ...visited: Parameters<PayerRail['visitBank']>
): Promise<ReturnParameters> => {
  const { payerRail } = tools;
  if (!payerRail)
    throw new Failure(failures.railNotConfigured, {
      message: `There is no simulator to log in at: set ${tools.simulatorSetting}.`,
    });
  return visitSimulator(tools, 'bank', 'link', () => payerRail.visitBank(...visited));
};

export const linkInSandboxRoutes = (tools: LinkInSandboxTools): readonly Route[] => [
  route(described, ({ params, body, decideOnce }, { tenant }) =>
    linkInSandbox(tools, tenant, params.accountAuthId, body, decideOnce),
  ),
];
