import { findPublicId } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { Authorisation } from '../authorisations/authorisation.ts';
import type { BankDataRails } from '../authorisations/bank-data-rails.ts';
import { findAuthorisation } from '../authorisations/find-authorisation.ts';

const madeByUs = /^[0-9a-z]{16,64}$/;

/** The authorisation whose customer is at the bank of static data, by the state of that visit. */
export const findOpenState = async (
  tools: Uses<'database'> & { readonly bankDataRails: BankDataRails },
  state: string,
): Promise<Authorisation | null> => {
  const found = madeByUs.test(state) ? await findPublicId(tools, state, 'BANK_LINK_STATE') : null;
  const authorisation = found && (await findAuthorisation(tools, found.tenant, found.targetId));
  if (authorisation?.oauthState !== state || authorisation.status !== 'AT_BANK') return null;
  const { tenant, institutionId } = authorisation;
  const rail = tools.bankDataRails.find(tenant.environment, institutionId ?? '');
  return rail?.isStatic ? authorisation : null;
};
