import { type Html, html } from '../../html/html.ts';

export type Fact =
  | {
      readonly label: Html;
      readonly value: Html | string;
      /** The sum of those above. */
      readonly isTotal?: boolean;
    }
  | null
  | false;

export const factList = (facts: readonly Fact[]): Html =>
  html`<dl class="facts">${facts.map(
    (fact) =>
      fact &&
      html`<div${fact.isTotal && html` class="total"`}><dt>${fact.label}</dt><dd>${fact.value}</dd></div>`,
  )}</dl>`;
