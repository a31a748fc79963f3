import type { PayerAccount, PayerBehaviour, PayerRail } from '../payer-rail.ts';
import type { Browse, Page, Step } from './browser.ts';
import { browser } from './browser.ts';
import { formWithStep } from './form-with-step.ts';

const maxSteps = 20;

/** Walks through the pages of a simulated bank as a customer's browser would. */
export const visitBank =
  (returnAddresses: readonly string[]): PayerRail['visitBank'] =>
  async (authorisationUrl, behaviour, account) => {
    const username = behaviour === 'approve' && account ? holderOf(account) : behaviour;
    const browse = browser((url) => returnAddresses.includes(url.replace(/[?#].*$/, '')));
    let step = await browse.open(authorisationUrl);
    for (let count = 0; step.kind === 'PAGE' && count < maxSteps; count += 1)
      step = await answerPage(browse, step.page, behaviour, username);
    if (step.kind !== 'BACK') throw new Error('the simulated bank never sent its customer back');
    return broughtBack(step.url);
  };

/** In the query or, at some banks, in the fragment. */
const broughtBack = ({ searchParams, hash }: URL): Readonly<Record<string, string>> =>
  Object.fromEntries([...searchParams, ...new URLSearchParams(hash.slice(1))]);

/** The simulator knows the holder of an account by its number. */
const holderOf = ({ sortCode, accountNumber }: PayerAccount): string =>
  `${sortCode}-${accountNumber}`;

const answerPage = (
  browse: Browse,
  page: Page,
  behaviour: PayerBehaviour,
  username: string,
): Promise<Step> => {
  const login = formWithStep(page.html, 'login');
  if (login) return browse.post(page, login, { username, password: 'sandbox' });
  const approval = formWithStep(page.html, 'approve');
  if (!approval) throw new Error('the simulated bank shows a page without a form');
  const decision = behaviour === 'decline' ? 'decline' : 'approve';
  return browse.post(page, approval, { decision });
};
