import type { BankProfile } from '../banks.ts';
import { bankPage } from './bank-page.ts';
import { html } from './html.ts';

export type Notice = {
  readonly title: string;
  readonly text: string;
  readonly detail?: string;
};

export const noticePage = (bank: BankProfile, notice: Notice): string => {
  const detail = notice.detail && html`<p class="detail" id="notice-detail">${notice.detail}</p>`;
  return bankPage(
    bank,
    notice.title,
    html`<h1 id="page-title">${notice.title}</h1>
      <p id="notice-text">${notice.text}</p>
      ${detail || undefined}`,
  );
};
