import type { PayerBehaviour, PayerRail } from '../payer-rail.ts';
import type { Browse, Page, Step } from './browse.ts';
import { browser } from './browse.ts';
import { formWithStep } from './read-form.ts';

const mostSteps = 20;

/** Walks through the pages of a simulated bank as a customer's browser would. */
export const visitBank =
  (returnAddress: string): PayerRail['visitBank'] =>
  async (authorisationUrl, behaviour) => {
    const browse = browser((url) => url.startsWith(returnAddress));
    let step = await browse.open(authorisationUrl);
    for (let count = 0; step.kind === 'PAGE' && count < mostSteps; count += 1)
      step = await answerPage(browse, step.page, behaviour);
    if (step.kind !== 'BACK') throw new Error('the simulated bank never sent its customer back');
    return Object.fromEntries(step.url.searchParams);
  };

const answerPage = (browse: Browse, page: Page, behaviour: PayerBehaviour): Promise<Step> => {
  const login = formWithStep(page.html, 'login');
  if (login) return browse.post(page, login, { username: behaviour, password: 'sandbox' });
  const approval = formWithStep(page.html, 'approve');
  if (!approval) throw new Error('the simulated bank shows a page without a form');
  const decision = behaviour === 'decline' ? 'decline' : 'approve';
  return browse.post(page, approval, { decision });
};
