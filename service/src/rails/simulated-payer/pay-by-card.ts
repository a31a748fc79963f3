import type { CardChallenge, PayerCard, PayerRail } from '../payer-rail.ts';
import type { Browse, Page, Step } from './browser.ts';
import { browser } from './browser.ts';
import { formWithStep } from './form-with-step.ts';

const decisions: Readonly<Record<Exclude<CardChallenge, 'ABANDON'>, string>> = {
  APPROVE: 'approve',
  DECLINE: 'decline',
};

/** Pays once and takes one challenge, as a customer would; a second attempt is a second visit. */
export const payByCard: PayerRail['payByCard'] = async (address, card) => {
  const { origin } = new URL(address);
  const browse = browser((url) => new URL(url).origin !== origin);
  const first = await browse.open(address);
  const paid = first.kind === 'PAGE' ? await giveCard(browse, first.page, card) : first;
  const last = paid.kind === 'PAGE' ? await answerChallenge(browse, paid.page, card) : paid;
  if (last === 'ABANDONED') return { kind: 'ABANDONED' };
  if (last.kind === 'BACK') return { kind: 'RETURNED', url: last.url.toString() };
  return { kind: formWithStep(last.page.html, 'card') ? 'DECLINED' : 'CLOSED' };
};

/** A page without a form for a card is passed on: it may be the challenge already. */
const giveCard = async (browse: Browse, page: Page, card: PayerCard): Promise<Step> => {
  if (card.savedCard !== undefined) {
    const saved = formWithStep(page.html, 'saved-card');
    if (saved) return browse.post(page, saved, { paymentMethod: card.savedCard });
  }
  const form = formWithStep(page.html, 'card');
  if (!form || card.cardNumber === undefined) return { kind: 'PAGE', page };
  return browse.post(page, form, { ...anyDetails, number: card.cardNumber });
};

const anyDetails = { expiry: '12/40', cvc: '123', name: 'Sandbox Payer' };

const answerChallenge = async (
  browse: Browse,
  page: Page,
  { challenge = 'APPROVE' }: PayerCard,
): Promise<Step | 'ABANDONED'> => {
  const form = formWithStep(page.html, 'challenge');
  if (!form) return { kind: 'PAGE', page };
  if (challenge === 'ABANDON') return 'ABANDONED';
  return browse.post(page, form, { decision: decisions[challenge] });
};
