import type { ReturnParameters } from '#rails/bank-rail.ts';
import type { PayerBehaviour } from '#rails/payer-rail.ts';
import { visitBank } from '#rails/simulated-payer.ts';

/** Follows the bank's pages until they lead back to us; null: to a dead end. */
export const approveAtBank = async (
  authorisationUrl: string,
  login: string,
): Promise<ReturnParameters | null> => {
  const bank = new URL(authorisationUrl).origin;
  const visit = visitBank((url) => new URL(url).origin !== bank);
  try {
    return await visit(authorisationUrl, login as PayerBehaviour);
  } catch (error) {
    if (/without a form|never sent/.test((error as Error).message)) return null;
    throw error;
  }
};
