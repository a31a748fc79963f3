import type { CheckoutAttempt } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { reasonText } from '../pages/reason-text.ts';
import { note } from './note.ts';
import type { Page } from './page.ts';

type Before = {
  readonly unfinished: CheckoutAttempt | null;
  readonly lastFailure: string | null;
  readonly lastFailureCode?: string | null;
};

/** The outcome of an earlier attempt: why it failed, or that it is still open. */
export const attemptNotices = ({ words }: Page, view: Before): Html => {
  const failure = reasonText(words, view.lastFailure, view.lastFailureCode ?? null);
  const failed =
    failure !== null &&
    note('bad', words.say('lastFailureTitle'), html`${failure} ${words.say('moneyNo')}`);
  const unfinished =
    // A card page has a page of its own, which closes it first.
    view.unfinished !== null &&
    view.unfinished.method !== 'CARD' &&
    note(
      'calm',
      words.say('unfinishedTitle', { bank: view.unfinished.bankName }),
      words.say('unfinishedText'),
    );
  return html`${failed}${unfinished}`;
};
