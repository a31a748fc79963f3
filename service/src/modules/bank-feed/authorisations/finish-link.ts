import { limits } from '@florin/contract';
import { findPublicId } from '#modules/merchants/index.ts';
import type { AccountsOutcome, Visitor } from '#rails/bank-data-rail.ts';
import type { ReturnOutcome, ReturnParameters } from '#rails/bank-rail.ts';
import { accountsToLink } from './accounts-to-link.ts';
import { type Authorisation, isLinkOver } from './authorisation.ts';
import type { DataRail } from './bank-data-rails.ts';
import { type Change, changeAuthorisation } from './change-authorisation.ts';
import { findAuthorisation } from './find-authorisation.ts';
import { openRailState, sealRailState } from './open-rail-state.ts';
import type { LinkTools } from './start-at-bank.ts';

const exchangeLeaseMs = 60_000;
const readTries = 3;
const betweenReadsMs = 300;

export type Finished =
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
  const found = await findPublicId(tools, oauthState, 'BANK_LINK_STATE');
  const authorisation = found && (await findAuthorisation(tools, found.tenant, found.targetId));
  if (!authorisation) return { kind: 'BAD_RETURN' };
  const { tenant, institutionId, status } = authorisation;
  if (status !== 'AT_BANK' || authorisation.oauthState !== oauthState)
    return { kind: 'FINISHED', authorisation };
  if (isLinkOver(authorisation)) return finished(tools, authorisation, { trigger: 'linkExpired' });
  const rail = tools.bankDataRails.find(tenant.environment, institutionId ?? '');
  const state = openRailState(tools.secrets, authorisation);
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
          railStateEncrypted: sealRailState(tools.secrets, authorisationId, outcome.state),
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
  const railStateEncrypted = sealRailState(tools.secrets, authorisationId, exchanged.state);
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
