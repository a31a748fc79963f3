import { type Html, html } from '../../html/html.ts';

type Choice = {
  readonly name: string;
  readonly value: string;
  readonly label: Html;
  /** Below its label, in small. */
  readonly hint?: Html;
  /** An amount at the end of the line. */
  readonly aside?: Html | string | null;
  readonly isChosen: boolean;
  /** Further attributes of the radio button. */
  readonly mark?: Html | null;
  /** Shown while it is chosen; always, if a browser cannot detect that. */
  readonly more?: Html | null;
};

/** One of several ways, large enough for a thumb. */
export const choice = ({ name, value, label, hint, aside, isChosen, mark, more }: Choice): Html =>
  html`
    <div class="choice">
      <label>
        <input type="radio" name="${name}" value="${value}"${isChosen && html` checked`}${mark}>
        <span>${label}${hint && html` <small>${hint}</small>`}</span>
        ${aside && html`<span class="choice-amount">${aside}</span>`}
      </label>
      ${more && html`<div class="more">${more}</div>`}
    </div>
  `;

/** The same in one row with others, its amount below its name. */
export const chip = ({ name, value, label, aside, isChosen, mark }: Omit<Choice, 'more'>): Html =>
  html`
    <label class="chip">
      <input type="radio" name="${name}" value="${value}"${isChosen && html` checked`}${mark}>
      <span>${label}${aside && html`<small data-pounds>${aside}</small>`}</span>
    </label>
  `;

type PoundsField = {
  readonly name: string;
  readonly label: Html;
  readonly value: string;
  readonly mark: Html | null;
  readonly problem: Html | null;
};

export const poundsField = ({ name, label, value, mark, problem }: PoundsField): Html =>
  html`
    <label for="${name}">${label}</label>
    <div class="pounds">
      <span aria-hidden="true">£</span>
      <input id="${name}" name="${name}" value="${value}" inputmode="decimal" maxlength="12"
        autocomplete="off" dir="ltr"${mark}>
    </div>
    ${problem}
  `;
