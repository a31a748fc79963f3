import { createHmac } from 'node:crypto';
import { limits } from '@florin/contract';
import { findOpenId } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { AccountsOutcome, BankDataAccount, Visitor } from '#rails/bank-data-rail.ts';
import type { ReturnOutcome, ReturnParameters } from '#rails/bank-rail.ts';
import { type Authorisation, isLinkOver } from './authorisation.ts';
import { type Change, changeAuthorisation, type LinkedAccount } from './change-authorisation.ts';
import { type DataRail, decryptRailState, encryptRailState } from './data-rails.ts';
import { findAuthorisation } from './get-authorisation.ts';
import type { LinkTools } from './start-at-bank.ts';

/** Open accounts, each under the id that it has for this merchant whenever it is linked. */
const accountsToLink = (
  { secrets, log }: Uses<'secrets' | 'log'>,
  { tenant, authorisationId, institutionId, bankName }: Authorisation,
  accounts: readonly BankDataAccount[],
): readonly LinkedAccount[] => {
  const open = accounts.filter(({ isOpen }) => isOpen);
  if (open.length > limits.bankAccountsPerAuthorisation)
    log.warn({ authorisationId, accounts: open.length }, 'some accounts are not linked: too many');
  const { merchantId, environment } = tenant;
  const key = secrets.keyFor('bank-account-id');
  const byId = new Map<string, LinkedAccount>();
  for (const account of open.slice(0, limits.bankAccountsPerAuthorisation)) {
    const owner = [merchantId, environment, institutionId].join('|');
    const named = uuidOf(key, `${owner}|${identityOf(account)}`);
    // Pockets of one account may share its number.
    const accountId = byId.has(named)
      ? uuidOf(key, `${owner}|${identityOf(account)}|${account.accountId}`)
      : named;
    byId.set(accountId, {
      account_id: accountId,
      institution_id: institutionId ?? '',
      bank_name: bankName ?? '',
      sort_code: account.sortCode,
      account_number: account.accountNumber,
      currency: account.currency,
      reference: account.accountId,
      position: byId.size,
    });
  }
  return [...byId.values()];
};

/** What stays the same under another consent; the bank's own id may not. */
const identityOf = ({ sortCode, accountNumber, currency, accountId }: BankDataAccount): string =>
  sortCode && accountNumber
    ? `number|${sortCode}|${accountNumber}|${currency}`
    : `reference|${accountId}`;

/** Derived under a key, so that an id shows no account number. */
const uuidOf = (key: Buffer, text: string): string => {
  const bytes = createHmac('sha256', key).update(text).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

const exchangeLeaseMs = 60_000;
const readTries = 3;
const betweenReadsMs = 300;

type Finished =
  | { readonly kind: 'FINISHED'; readonly authorisation: Authorisation }
  /** Not from a bank of ours, or no authorisation of ours: nothing changed. */
  | { readonly kind: 'BAD_RETURN' }
  /** The bank's keys cannot be read now: the same return may be brought again. */
  | { readonly kind: 'UNVERIFIED'; readonly authorisation: Authorisation };

/**
 * The customer returned from the bank, in any browser. The return is verified, its code exchanged once and
 * the accounts are read. A second return changes nothing.
 */
export const finishLink = async (
  tools: LinkTools,
  parameters: ReturnParameters,
  oauthState: string,
  visitor: Visitor,
): Promise<Finished> => {
  const found = await findOpenId(tools, oauthState, 'BANK_LINK_STATE');
  const authorisation = found && (await findAuthorisation(tools, found.tenant, found.targetId));
  if (!authorisation) return { kind: 'BAD_RETURN' };
  const { tenant, institutionId, status } = authorisation;
  if (status !== 'AT_BANK' || authorisation.oauthState !== oauthState)
    return { kind: 'FINISHED', authorisation };
  if (isLinkOver(authorisation)) return finished(tools, authorisation, { trigger: 'linkExpired' });
  const rail = tools.bankDataRails.find(tenant.environment, institutionId ?? '');
  const state = decryptRailState(tools.secrets, authorisation);
  if (!rail || !state) return { kind: 'UNVERIFIED', authorisation };
  const outcome = await rail.readReturn(state, parameters);
  if (outcome.kind === 'INVALID') {
    const { authorisationId } = authorisation;
    tools.log.warn({ authorisationId }, 'a return of a linking customer was not from the bank');
    return { kind: 'BAD_RETURN' };
  }
  if (outcome.kind === 'UNKNOWN') return { kind: 'UNVERIFIED', authorisation };
  return goOn(tools, rail, authorisation, outcome, visitor);
};

/** The change is made only while this is still the customer's latest visit to a bank. */
const finished = async (
  tools: LinkTools,
  { tenant, authorisationId, oauthState }: Authorisation,
  change: Change,
): Promise<Finished> => {
  const changed = await changeAuthorisation(tools, tenant, authorisationId, (current) =>
    current.oauthState === oauthState ? change : null,
  );
  return { kind: 'FINISHED', authorisation: changed.authorisation };
};

type Answered = Exclude<ReturnOutcome, { readonly kind: 'INVALID' | 'UNKNOWN' }>;

const goOn = async (
  tools: LinkTools,
  rail: DataRail,
  authorisation: Authorisation,
  outcome: Answered,
  visitor: Visitor,
): Promise<Finished> => {
  if (outcome.kind === 'DECLINED')
    return finished(tools, authorisation, {
      trigger: outcome.byPayer ? 'declinedByCustomer' : 'refusedByBank',
      set: { endedReason: outcome.code },
    });
  const { tenant, authorisationId, oauthState } = authorisation;
  const claimed = await changeAuthorisation(tools, tenant, authorisationId, (current) =>
    current.oauthState === oauthState
      ? {
          trigger: 'approved',
          railStateEncrypted: encryptRailState(tools.secrets, authorisationId, outcome.state),
          leaseMs: exchangeLeaseMs,
        }
      : null,
  );
  if (!claimed.isChanged) return { kind: 'FINISHED', authorisation: claimed.authorisation };
  return finished(
    tools,
    claimed.authorisation,
    await exchangeCode(tools, rail, claimed.authorisation, outcome, visitor),
  );
};

/** From here on an unknown answer ends the link: a code can be used once. */
const exchangeCode = async (
  tools: LinkTools,
  rail: DataRail,
  authorisation: Authorisation,
  { state, code }: Extract<Answered, { readonly kind: 'AUTHORISED' }>,
  visitor: Visitor,
): Promise<Change> => {
  const { authorisationId, now } = authorisation;
  const exchanged = await rail.exchange(state, code);
  if (exchanged.kind !== 'OK')
    return notLinked(exchanged.kind === 'REFUSED' ? exchanged.code : exchanged.kind);
  const railStateEncrypted = encryptRailState(tools.secrets, authorisationId, exchanged.state);
  const read = await readAccounts(tools, rail, exchanged.state, visitor);
  // The tokens are stored all the same: the consent is then ended at the bank.
  if (read.kind !== 'OK') return { ...notLinked(read.kind), railStateEncrypted };
  const accounts = accountsToLink(tools, authorisation, read.accounts);
  if (accounts.length === 0) return { ...notLinked('NO_ACCOUNTS'), railStateEncrypted };
  const reconfirmBy = new Date(now.getTime() + limits.bankReconfirmMs);
  return {
    trigger: 'linked',
    set: { linkedAt: now, reconfirmBy, dueAt: reconfirmBy },
    railStateEncrypted,
    accessEndsAt: exchanged.accessEndsAt,
    accounts,
  };
};

const notLinked = (endedReason: string): Change => ({
  trigger: 'notLinked',
  set: { endedReason },
});

const readAccounts = async (
  tools: LinkTools,
  rail: DataRail,
  state: string,
  visitor: Visitor,
): Promise<AccountsOutcome> => {
  let read = await rail.readAccounts(state, visitor);
  for (let tried = 1; tried < readTries && read.kind === 'UNKNOWN'; tried += 1) {
    await tools.clock.sleep(betweenReadsMs);
    read = await rail.readAccounts(state, visitor);
  }
  return read;
};
