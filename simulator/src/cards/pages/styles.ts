import { styles as bankStyles } from '#simulator/bank/pages/styles.ts';
import type { FieldsLook } from '../model.ts';

const address = '/cards/cards.css';
const hexColour = /^#[0-9a-f]{6}$/i;

// A page of ours has no style of its own, so the colours of the shop's page are in the address.
export const styleAddress = (look: FieldsLook | null): string =>
  look ? `${address}?${new URLSearchParams({ button: look.button })}` : address;

export const stylesFor = (button: unknown): string =>
  typeof button === 'string' && hexColour.test(button)
    ? `${cardStyles}.framed .primary:not(.wallet) { background: ${button}; color: ${inkOn(button)}; }\n`
    : cardStyles;

export const isDark = ({ background }: FieldsLook): boolean => inkOn(background) === '#fff';

const inkOn = (colour: string): string => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(colour.slice(at, at + 2), 16),
  );
  return red * 0.299 + green * 0.587 + blue * 0.114 > 140 ? '#000' : '#fff';
};

// For a page on a dark ground: named by its shop, or by the customer's browser.
const darkStyles = (page: string): string => `
${page} { color: #f1f4f8; }
${page}.alone { background: #0e1116; }
${page}.alone .card { background: #171b22; }
${page}.framed .simulation { color: #aeb7c5; }
${page} :is(.lines, .hint, .consent, .foot, .or, .quiet, .magic dd, .facts dt) { color: #aeb7c5; }
${page} :is(.facts, .facts div, .magic div, details) { border-color: #2b323d; }
${page} .or::before, ${page} .or::after { border-color: #2b323d; }
${page} :is(input[type="text"], input[type="password"]) {
  background: #0e1116; border-color: #8892a3;
}
${page} ::placeholder { color: #aeb7c5; opacity: 1; }
${page} code { background: #2b323d; color: inherit; }
${page} .secondary { background: none; color: inherit; }
${page} .secondary:hover { background: #2b323d; }
${page} .mistake { color: #ff9c96; }
${page} input[aria-invalid="true"] { border-color: #ff9c96; }
${page} .alert { background: #3a1917; color: #ff9c96; }
${page} .wallet { border: 1px solid #8892a3; }
${page} .back { color: #93a8ff; }
${page} .choice { border-color: #8892a3; }
`;

const cardStyles = `:root { --bank: #3a2f7d; }
.issuer { --bank: #0f5c5c; }
${bankStyles}
.lines { margin: 0 0 20px; padding: 0; list-style: none; color: #4b5563; }
.lines li { display: flex; justify-content: space-between; gap: 16px; }
.amount { margin-bottom: 8px; }
.row { display: grid; grid-template-columns: 1fr 1fr; gap: 0 14px; }
.mistake { margin: 4px 0 0; color: #a11212; font-size: 15px; font-weight: 600; }
input[aria-invalid="true"] { border: 2px solid #a11212; }
.alert {
  margin: 0 0 18px; padding: 12px 14px; border-left: 5px solid #a11212; border-radius: 8px;
  background: #fdecec; color: #5c0a0a;
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
.alert { margin-top: 16px; border-left: 0; }
.quiet { border: 0; background: none; color: #4b5563; text-decoration: underline; font-weight: 400; }
.framed { min-height: 0; background: none; }
.framed .masthead, .framed .foot { display: none; }
.framed .card {
  width: 100%; margin: 0; padding: 12px 0 4px; border-radius: 0; background: none; box-shadow: none;
}
.framed .order { display: none; }
.framed #wallet-form .wallet { margin-top: 6px; }
.framed { font-size: 16px; }
.framed .simulation {
  padding: 0; background: none; color: #4b5563; text-align: start; font-size: 14px;
}
.framed label { margin-top: 12px; font-size: 15px; }
.framed input[type="text"], .framed button { border-radius: 12px; }
:root:has(.dark) { color-scheme: dark; }
@media (max-width: 420px) { .magic div { grid-template-columns: 1fr; } }
${darkStyles('.dark')}
@media (prefers-color-scheme: dark) {
  :root:has(.alone) { color-scheme: dark; }
  ${darkStyles('.alone')}
}
`;
