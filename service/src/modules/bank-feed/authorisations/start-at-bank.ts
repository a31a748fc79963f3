import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import type { Visitor } from '#rails/bank-data-rail.ts';
import type { Institution } from '#rails/bank-rail.ts';
import { type Authorisation, isLinkOver } from './authorisation.ts';
import { changeAuthorisation } from './change-authorisation.ts';
import { type BankDataRails, type DataRail, encryptRailState } from './data-rails.ts';

const oauthStateBits = 130;
const dayMs = 24 * 60 * 60 * 1000;

export type LinkTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'clock'> & {
  readonly bankDataRails: BankDataRails;
};

export type StartOrder = {
  readonly institutionId: string;
  readonly visitor: Visitor;
  readonly loginHint?: string;
};

export type Start =
  | {
      readonly kind: 'AT_BANK';
      readonly authorisationUrl: string;
      readonly authorisation: Authorisation;
    }
  /** The bank cannot be reached, or it refuses: another one may be chosen. */
  | { readonly kind: 'BANK_FAILED'; readonly authorisation: Authorisation }
  | { readonly kind: 'CANNOT_START'; readonly authorisation: Authorisation };

/**
 * The customer agreed: commits the choice of the bank, requests a consent there, then records the
 * answer. A second choice replaces the first.
 */
export const startAtBank = async (
  tools: LinkTools,
  tenant: Tenant,
  authorisationId: string,
  order: StartOrder,
): Promise<Start> => {
  const { rail, bank } = findBank(tools.bankDataRails, tenant, order.institutionId);
  const oauthState = tools.ids.token(oauthStateBits);
  const chosen = await changeAuthorisation(tools, tenant, authorisationId, (authorisation) =>
    rail && bank && canStart(authorisation)
      ? {
          trigger: 'bankChosen',
          set: {
            institutionId: bank.id,
            bankName: bank.name,
            oauthState,
            starts: authorisation.starts + 1,
          },
        }
      : null,
  );
  if (!chosen.isChanged || !rail)
    return { kind: 'CANNOT_START', authorisation: chosen.authorisation };
  const consent = await rail.createConsent({
    institutionId: order.institutionId,
    sharedData: ['ACCOUNTS', 'BALANCES', 'TRANSACTIONS'],
    // It ends when it is revoked or no longer confirmed, which is ours to watch.
    expiresAt: null,
    transactionsFrom: historyStart(tools.clock.now()),
    oauthState,
    visitor: order.visitor,
    ...(chosen.authorisation.requestId ? { requestId: chosen.authorisation.requestId } : {}),
    ...(order.loginHint ? { loginHint: order.loginHint } : {}),
  });
  if (consent.kind === 'CREATED')
    return recordConsent(tools, chosen.authorisation, oauthState, consent);
  tools.log.warn(
    { authorisationId, bank: order.institutionId, answer: consent.kind },
    'no consent',
  );
  const { authorisation } = await changeAuthorisation(tools, tenant, authorisationId, (current) =>
    current.oauthState === oauthState ? { trigger: 'consentNotCreated' } : null,
  );
  return { kind: 'BANK_FAILED', authorisation };
};

/** The bank and the rail that reaches it; a disabled one cannot be chosen. */
const findBank = (
  rails: BankDataRails,
  { environment }: Tenant,
  institutionId: string,
): { readonly rail: DataRail | null; readonly bank: Institution | null } => {
  const bank = rails.institutions(environment).find(({ id }) => id === institutionId);
  if (!bank?.isEnabled) return { rail: null, bank: null };
  return { rail: rails.find(environment, institutionId), bank };
};

const canStart = (authorisation: Authorisation): boolean =>
  !isLinkOver(authorisation) && authorisation.starts < limits.bankLinkStarts;

/** As far back as transactions are read. */
export const historyStart = (now: Date): Date =>
  new Date(now.getTime() - limits.bankHistoryDays * dayMs);

const recordConsent = async (
  tools: LinkTools,
  { tenant, authorisationId }: Authorisation,
  oauthState: string,
  consent: {
    readonly state: string;
    readonly reference: string;
    readonly authorisationUrl: string;
  },
): Promise<Start> => {
  const { authorisation, isChanged } = await changeAuthorisation(
    tools,
    tenant,
    authorisationId,
    (current) =>
      current.oauthState === oauthState
        ? {
            trigger: 'consentCreated',
            set: { consentReference: consent.reference },
            railStateEncrypted: encryptRailState(tools.secrets, authorisationId, consent.state),
          }
        : null,
  );
  // Another bank was chosen meanwhile, or the link ended: this consent is never approved.
  if (!isChanged) return { kind: 'CANNOT_START', authorisation };
  return { kind: 'AT_BANK', authorisationUrl: consent.authorisationUrl, authorisation };
};
