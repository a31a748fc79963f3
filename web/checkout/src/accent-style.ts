import { inkOn, plainHex, shadeFor } from './contrast.ts';

/** What text in the accent colour stands on; the style sheet names the same grounds. */
const lightGrounds = ['ffffff', 'f4f6f9', 'eef1f6'];
const darkGrounds = ['171b22', '0e1116', '20262f'];
const textRatio = 4.5;

export const accentPath = (colour: string | null): string | null => {
  const hex = plainHex(colour);
  return hex === null ? null : `/assets/accent-${hex}.css`;
};

const declarations = (accent: string): string =>
  `--accent:#${accent};--on-accent:#${inkOn(accent)}`;

/**
 * The style sheet of one merchant's colour, for `/assets/accent-<rrggbb>.css`; null if it is no
 * colour. The colour is darkened or lightened until text in it can be read.
 */
export const accentStyle = (colour: string): string | null => {
  const hex = plainHex(colour);
  if (hex === null) return null;
  const light = shadeFor(hex, '000000', lightGrounds, textRatio);
  const dark = shadeFor(hex, 'ffffff', darkGrounds, textRatio);
  const whenDark = `@media screen and (prefers-color-scheme:dark){:root{${declarations(dark)}}}`;
  return `:root{${declarations(light)}}${whenDark}`;
};
