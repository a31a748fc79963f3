import { styles as bankStyles } from '#simulator/bank/pages/styles.ts';
import type { FieldsLook } from '../model.ts';

const address = '/cards/cards.css';
const hexColour = /^#[0-9a-f]{6}$/i;

// A page of ours has no style of its own, so the colours of the shop's page are in the address.
export const styleAddress = (look: FieldsLook | null): string =>
  look ? `${address}?${new URLSearchParams({ button: look.button })}` : address;

export const stylesFor = (button: unknown): string =>
  typeof button === 'string' && hexColour.test(button)
    ? `${cardStyles}${shopStyles(button)}`
    : cardStyles;

const shopStyles = (button: string): string => `
.framed.pay .primary:not(.wallet) { background: ${button}; color: ${inkOn(button)}; }
.framed.pay :focus-visible { outline-color: ${button}; }
.framed.pay ::selection { background: ${button}40; color: inherit; }
.framed.pay button:focus-visible { outline-color: currentcolor; }
.framed.pay input[aria-invalid="true"]:focus-visible { outline-color: var(--wrong); }
`;

export const isDark = ({ background }: FieldsLook): boolean => inkOn(background) === '#fff';

const inkOn = (colour: string): string => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(colour.slice(at, at + 2), 16),
  );
  return red * 0.299 + green * 0.587 + blue * 0.114 > 140 ? '#000' : '#fff';
};

// For a page on a dark ground: named by its shop, or by the customer's browser.
const darkStyles = (page: string): string => `
${page} { --wrong: #ff9c96; --ground: #171b22; color: #f1f4f8; }
${page}.alone { background: #0e1116; }
${page}.alone.framed, ${page}.alone .card { background: #171b22; }
${page}.framed .simulation { color: #aeb7c5; }
${page} :is(.lines, .hint, .consent, .foot, .or, .magic dd, .facts dt) { color: #aeb7c5; }
${page} :is(.facts, .facts div, .magic div, details) { border-color: #343c49; }
${page} .or::before, ${page} .or::after { border-color: #343c49; }
${page} .joined label { color: #aeb7c5; }
${page}.framed.issuer { border-color: #4a5463; }
${page}.framed.issuer .masthead { border-color: #343c49; }
${page} :is(input[type="text"], input[type="password"]) {
  background: #0e1116; border-color: #8892a3;
}
${page} ::placeholder { color: #8a94a3; opacity: 1; }
${page} code { background: #2b323d; color: inherit; }
${page} .secondary { background: none; color: inherit; }
${page} .secondary:hover { background: #2b323d; }
${page} .alert { background: #3a1917; }
${page} .alert p { color: #f1f4f8; }
${page} .wallet { background: #fff; color: #000; }
${page}.issuer { --bank: #b5b1f5; }
${page}.issuer :is(.primary, .monogram) { color: #000; }
${page} .back { color: #93a8ff; }
${page} .choice { border-color: #8892a3; }
`;

const joinedStyles = `
.joined { display: grid; grid-template-columns: 1fr 1fr; margin-top: 12px; }
.joined legend {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
}
.joined div { position: relative; }
.joined :is(.number, .name, .mistake) { grid-column: 1 / -1; }
.joined label {
  position: absolute; top: 8px; left: 13px; z-index: 2; margin: 0; color: #4b5563;
  font-size: 14px; line-height: 16px; font-weight: 400; pointer-events: none;
}
.joined input[type="text"] { height: 56px; margin-top: 0; padding-top: 20px; border-radius: 0; }
.joined .number input[type="text"] { padding-right: 116px; border-radius: 12px 12px 0 0; }
.joined .expiry input[type="text"] { margin-top: -1px; border-radius: 0 0 0 12px; }
.joined .cvc input[type="text"] {
  width: calc(100% + 1px); margin: -1px 0 0 -1px; padding-right: 52px; border-radius: 0 0 12px 0;
}
.joined .name { margin-top: 12px; }
.joined .name input[type="text"] { border-radius: 12px; }
.joined input[aria-invalid="true"], .joined input:focus-visible { position: relative; z-index: 1; }
.joined .mistake { margin: 8px 0 0; padding-left: 22px; }
.mistake::before {
  content: "!" / ""; display: inline-block; width: 16px; margin: 0 6px 0 -22px; border-radius: 50%;
  background: var(--wrong); color: var(--ground, #fff); font-size: 12px; line-height: 16px; font-weight: 700;
  text-align: center; vertical-align: 1px;
}
[data-found="visa"] :not([data-brand="visa"], [data-brand="visa"] *),
[data-found="mastercard"] :not([data-brand="mastercard"], [data-brand="mastercard"] *),
[data-found="amex"] :not([data-brand="amex"], [data-brand="amex"] *) { display: none; }
.signs { position: absolute; top: 19px; right: 12px; z-index: 2; display: flex; gap: 4px; }
.signs svg { display: block; }
@media (max-width: 300px) {
  .signs { gap: 2px; right: 8px; }
  .signs svg { width: 22px; }
  .cvc .signs { display: none; }
  .joined .number input[type="text"] { padding-right: 80px; letter-spacing: 0; }
}
`;

// On the shop's page the bank's question stands in a box with the bank's name, for saved and new cards.
const panelStyles = `
.framed.issuer { margin-right: 1px; border: 1px solid #c6cdd9; border-radius: 12px; }
.framed.issuer .masthead {
  justify-content: flex-start; gap: 10px; padding: 8px 16px; border-bottom: 1px solid #e1e4e9;
  background: none; color: inherit;
}
.framed.issuer .monogram {
  width: 28px; height: 28px; border-radius: 8px; background: var(--bank); color: #fff;
  font-size: 13px;
}
.framed.issuer .bank-name { font-size: 16px; }
.framed.issuer .card { padding: 8px 16px 0; }
.framed.issuer .simulation { padding: 12px 16px; }
.framed.issuer .facts { border: 0; }
.framed.issuer .facts div { padding: 4px 0; border: 0; }
.framed.issuer form > button.primary { margin-top: 12px; }
`;

const cardStyles = `:root { --bank: #3a2f7d; --wrong: #b3201f; }
${bankStyles}
.lines { margin: 0 0 20px; padding: 0; list-style: none; color: #4b5563; }
.lines li { display: flex; justify-content: space-between; gap: 16px; }
.amount { margin-bottom: 8px; }
.row { display: grid; grid-template-columns: 1fr 1fr; gap: 0 14px; }
.mistake { margin: 4px 0 0; color: var(--wrong); font-size: 15px; font-weight: 600; }
input[type="text"][aria-invalid="true"] {
  border-color: var(--wrong); box-shadow: inset 0 0 0 1px var(--wrong);
}
.consent { margin: 18px 0 0; color: #4b5563; font-size: 15px; }
.tick { display: flex; gap: 12px; align-items: flex-start; font-weight: 400; }
.tick input { width: 20px; height: 20px; margin: 2px 0 0; accent-color: var(--bank); flex: none; }
.or { display: flex; align-items: center; gap: 12px; margin: 26px 0 4px; color: #4b5563; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid #d5d9e0; }
.wallet { background: #111; border-color: #111; color: #fff; }
.back { display: inline-block; margin-top: 20px; color: var(--bank); }
.digits { font-variant-numeric: tabular-nums; letter-spacing: 0.03em; }
.magic code { white-space: nowrap; }
.magic div { display: grid; grid-template-columns: 178px 1fr; gap: 4px 14px; }
.magic dd { margin: 0; }
.magic small { display: block; font-size: 13px; }
.alert {
  display: flex; gap: 12px; margin: 16px 0 18px; padding: 12px 14px; border-radius: 12px;
  background: #fdecec;
}
.alert p { flex: 1; margin: 0; color: #121826; font-size: 15px; }
.alert strong { color: var(--wrong); }
.alert svg { flex: none; color: var(--wrong); }
.framed { min-height: 0; background: none; }
.framed.pay .masthead, .framed .foot { display: none; }
/* After a refusal the shop's page names another way right below. */
.framed.pay:has(#problem) .simulation { display: none; }
.framed.pay #problem { margin-block: 12px; }
.framed.pay .order + #problem { margin-block-start: 0; }
.framed .card {
  width: 100%; margin: 0; padding: 0; border-radius: 0; background: none; box-shadow: none;
}
.framed .order { display: none; }
.framed #wallet-form .wallet { margin-top: 0; }
.framed .alert { margin: 0 0 12px; padding: 12px; }
.framed :focus-visible { outline-offset: -3px; box-shadow: none; }
.mistake a { color: inherit; white-space: nowrap; }
.framed { font-size: 16px; }
.framed .simulation {
  padding: 12px 0 0; background: none; color: #4b5563; text-align: start; font-size: 14px;
}
.framed .or { margin: 14px 0 0; font-size: 14px; }
.framed form > button.primary { margin-top: 16px; }
.framed details { margin-top: 16px; padding-top: 4px; font-size: 15px; }
.framed summary { font-weight: 400; }
.framed label { margin-top: 12px; font-size: 14px; }
.framed :is(input[type="text"], input[type="password"], button) { border-radius: 12px; }
.framed.alone { background: #fff; }
:root:has(.dark) { color-scheme: dark; }
@media (max-width: 420px) { .magic div { grid-template-columns: 1fr; } }
summary { display: flex; align-items: center; justify-content: space-between; min-height: 44px; }
summary::-webkit-details-marker { display: none; }
summary::after {
  content: ""; width: 8px; height: 8px; margin: -4px 4px 0; border: solid; border-width: 0 1.5px 1.5px 0;
  transform: rotate(45deg);
}
[open] > summary::after { margin-top: 4px; transform: rotate(225deg); }
.lock {
  margin-right: 8px; fill: none; stroke: currentcolor; stroke-width: 2; vertical-align: -3px;
}
.whole { white-space: nowrap; }
.refusals { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
.refusals button { margin-top: 8px; padding: 4px; }
${joinedStyles}
.framed h1 { font-size: 18px; }
.framed .amount { margin: 4px 0 8px; font-size: 28px; }
.framed .mistake { font-size: 14px; font-weight: 400; }
.framed .primary, .framed .secondary { min-height: 48px; }
.framed .wallet { font-weight: 400; background: #000; }
.framed .wallet strong { font-weight: 600; }
${panelStyles}
${darkStyles('.dark')}
@media (prefers-color-scheme: dark) {
  :root:has(.alone) { color-scheme: dark; }
  ${darkStyles('.alone')}
}
`;
