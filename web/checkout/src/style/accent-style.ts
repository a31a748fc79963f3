import { inkOn, plainHex, shadeFor } from './contrast.ts';

/** Backgrounds of text in the accent colour; the style sheet names the same ones. */
const grounds = {
  light: ['ffffff', 'f4f6f9', 'eef1f6'],
  dark: ['171b22', '0e1116', '20262f'],
} as const;

/** Beside white text 4.5 reads as switched off. On a light ground a button may be of any colour. */
const ratios = {
  light: { text: 4.5, fill: 1.3 },
  dark: { text: 7, fill: 7 },
} as const;

/** Of fields that stand in the page and have no style sheet of ours, each `#rrggbb`. */
export type FieldColours = { readonly ground: string; readonly button: string };

const plainButtons = { light: '2a3a63', dark: '9db2ff' };

/** The ground and the button of a page of one merchant, light or dark. */
export const fieldColours = (colour: string | null, scheme: Scheme): FieldColours => {
  const hex = plainHex(colour);
  const button = hex === null ? plainButtons[scheme] : fillOf(hex, scheme);
  return { ground: `#${grounds[scheme][0]}`, button: `#${button}` };
};

type Scheme = 'light' | 'dark';

/** The styles of one merchant's colour, if it is a colour. */
export const accentStyle = (colour: string | null): string | null => {
  const hex = plainHex(colour);
  if (hex === null) return null;
  const [light, dark] = [declarations(hex, 'light'), declarations(hex, 'dark')];
  return `:root{${light}}@media screen and (prefers-color-scheme:dark){:root{${dark}}}`;
};

/** A button keeps the colour as it is, under black or white, unless it would be lost on the card. */
const fillOf = (hex: string, scheme: Scheme): string =>
  shadeFor(hex, scheme, grounds[scheme].slice(0, 1), ratios[scheme].fill);

/** Text in the colour is made readable on every background. */
const declarations = (hex: string, scheme: Scheme): string => {
  const accent = shadeFor(hex, scheme, grounds[scheme], ratios[scheme].text);
  const fill = fillOf(hex, scheme);
  return [
    `--accent:#${accent};--on-accent:#${inkOn(accent)}`,
    `--fill:#${fill};--on-fill:#${inkOn(fill)}`,
  ].join(';');
};
