import { type Html, html } from '../../html/html.ts';

export type Fact = { readonly label: Html; readonly value: Html | string } | null | false;

export const factList = (facts: readonly Fact[]): Html =>
  html`<dl class="facts">${facts.map(
    (fact) => fact && html`<div><dt>${fact.label}</dt><dd>${fact.value}</dd></div>`,
  )}</dl>`;
