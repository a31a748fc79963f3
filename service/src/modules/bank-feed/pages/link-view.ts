import { tellBanksApart } from '@florin/checkout';
import {
  type CheckoutBank,
  type LinkAccount,
  type LinkCommon,
  type LinkView,
  limits,
  type PageFrame,
  type PageOperator,
} from '@florin/contract';
import type { Merchant } from '#modules/merchants/index.ts';
import type { Institution } from '#rails/bank-rail.ts';
import type { Authorisation } from '../authorisations/authorisation.ts';
import { shownStatus } from '../authorisations/get-authorisation.ts';
import type { AccountRow } from '../authorisations/store/authorisations.ts';
import type { WayBack } from '../authorisations/way-back.ts';

const dayMs = 24 * 60 * 60 * 1000;
const daysPerMonth = 30;
const confirmEveryDays = limits.bankReconfirmMs / dayMs;
const waitSeconds = 2;
const shownDigits = 4;

export type LinkQuery = {
  readonly locale: string;
  readonly search: string;
  readonly institutionId: string;
  /** The bank that could not be reached. */
  readonly failed: string;
  readonly isJustConfirmed: boolean;
};

export type LinkSources = {
  readonly authorisation: Authorisation;
  readonly merchant: Merchant;
  readonly institutions: readonly Institution[];
  readonly accounts: readonly AccountRow[];
  readonly returnTo: WayBack | null;
  readonly operator: PageOperator;
  readonly formToken: string;
  readonly query: LinkQuery;
};

/** The page of an authorisation in its state. */
export const linkView = (sources: LinkSources): LinkView => {
  const { authorisation } = sources;
  const common = commonView(sources);
  switch (shownStatus(authorisation)) {
    case 'OPEN':
    case 'AT_BANK':
      return openView(common, sources);
    case 'EXCHANGING':
      return { ...common, page: 'WAITING', refreshInSeconds: waitSeconds };
    case 'LINKED':
      return linkedView(common, sources, false);
    case 'RECONFIRMATION_MISSED':
      return linkedView(common, sources, true);
    default:
      return { ...common, page: 'ENDED' };
  }
};

export const frameOf = (
  merchant: ShownMerchant,
  environment: PageFrame['environment'],
  operator: PageOperator,
  locale: string,
): PageFrame => ({
  locale,
  environment,
  merchantName: merchant.businessName,
  storeName: null,
  storeAddress: null,
  avatarUrl: merchant.logoUrl ?? merchant.avatarUrl,
  accentColour: merchant.accentColour,
  support: {
    email: merchant.supportEmail,
    phone: merchant.supportPhone,
    url: merchant.supportUrl,
  },
  ...operator,
});

type ShownMerchant = Pick<
  Merchant,
  | 'businessName'
  | 'logoUrl'
  | 'avatarUrl'
  | 'accentColour'
  | 'supportEmail'
  | 'supportPhone'
  | 'supportUrl'
>;

const commonView = ({
  authorisation,
  merchant,
  operator,
  formToken,
  returnTo,
  query,
}: LinkSources): LinkCommon => ({
  frame: frameOf(merchant, authorisation.tenant.environment, operator, query.locale),
  accountAuthId: authorisation.authorisationId,
  formToken,
  returnTo,
});

const openView = (
  common: LinkCommon,
  { authorisation, institutions, query }: LinkSources,
): LinkView => {
  const expiresAt = authorisation.linkExpiresAt.toISOString();
  const banks = tellBanksApart(institutions.map(bankView));
  const bank = banks.find(({ id, isAvailable }) => id === query.institutionId && isAvailable);
  if (bank)
    return {
      ...common,
      ...{ page: 'CONSENT', bank, confirmEveryDays, expiresAt },
      historyMonths: Math.floor(limits.bankHistoryDays / daysPerMonth),
    };
  const failedBank = banks.find(({ id }) => id === query.failed)?.name ?? null;
  return { ...common, page: 'CHOOSE_BANK', banks, search: query.search, expiresAt, failedBank };
};

const bankView = (institution: Institution): CheckoutBank => ({
  id: institution.id,
  name: institution.name,
  fullName: institution.fullName,
  kind: institution.kind,
  colour: institution.colour,
  isPopular: institution.isPopular,
  isAvailable: institution.isEnabled,
  unavailableReason: institution.isEnabled ? null : 'DOWN',
  ...(institution.isSlow && { isSlow: true }),
});

const linkedView = (
  common: LinkCommon,
  { authorisation, accounts, query }: LinkSources,
  isLapsed: boolean,
): LinkView => {
  const { bankName, linkedAt, reconfirmBy, now } = authorisation;
  return {
    ...common,
    page: 'LINKED',
    bankName: bankName ?? '',
    accounts: accounts.map(accountView),
    linkedAt: (linkedAt ?? now).toISOString(),
    reconfirmBy: (reconfirmBy ?? now).toISOString(),
    confirmEveryDays,
    isLapsed,
    isJustConfirmed: query.isJustConfirmed && !isLapsed,
  };
};

const accountView = ({ sort_code: sortCode, account_number: number }: AccountRow): LinkAccount => ({
  sortCode: sortCode === null ? null : sortCode.replace(/(\d\d)(\d\d)(\d\d)/, '$1-$2-$3'),
  lastDigits: number?.slice(-shownDigits) ?? null,
});
