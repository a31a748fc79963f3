import { inkOn, plainHex, shadeFor } from './contrast.ts';

/** Backgrounds of text in the accent colour; the style sheet names the same ones. */
const lightGrounds = ['ffffff', 'f4f6f9', 'eef1f6'];
const darkGrounds = ['171b22', '0e1116', '20262f'];
const lightRatio = 4.5;
// Beside white text 4.5 reads as switched off.
const darkRatio = 7;
const fillRatio = 1.3;

/** Of fields that stand in the page and have no style sheet of ours, each `#rrggbb`. */
export type FieldColours = { readonly ground: string; readonly button: string };

const plainButtons = { light: '2a3a63', dark: 'b6c4ee' };

/** The ground and the button of a page of one merchant, light or dark. */
export const fieldColours = (colour: string | null, scheme: 'light' | 'dark'): FieldColours => {
  const [ground = ''] = scheme === 'dark' ? darkGrounds : lightGrounds;
  const hex = plainHex(colour);
  const into = scheme === 'dark' ? 'ffffff' : '000000';
  const button = hex === null ? plainButtons[scheme] : shadeFor(hex, into, [ground], fillRatio);
  return { ground: `#${ground}`, button: `#${button}` };
};

/** The styles of one merchant's colour, if it is a colour. */
export const accentStyle = (colour: string | null): string | null => {
  const hex = plainHex(colour);
  if (hex === null) return null;
  const light = declarations(hex, '000000', lightGrounds, lightRatio);
  const dark = declarations(hex, 'ffffff', darkGrounds, darkRatio);
  return `:root{${light}}@media screen and (prefers-color-scheme:dark){:root{${dark}}}`;
};

/**
 * Text in the colour is made readable on every background. A button keeps the colour as it is,
 * under black or white, unless it would be invisible on the card.
 */
const declarations = (
  hex: string,
  into: string,
  grounds: readonly string[],
  textRatio: number,
): string => {
  const accent = shadeFor(hex, into, grounds, textRatio);
  const fill = shadeFor(hex, into, grounds.slice(0, 1), fillRatio);
  return [
    `--accent:#${accent};--on-accent:#${inkOn(accent)}`,
    `--fill:#${fill};--on-fill:#${inkOn(fill)}`,
  ].join(';');
};
