import { checkoutAssets } from '../assets/checkout-assets.ts';
import { accentStyle } from './accent-style.ts';

/** The inline styles of a page, so that it is drawn with its first bytes. */
export const pageStyles = (accentColour: string | null): readonly string[] => {
  const accent = accentStyle(accentColour);
  const { style } = checkoutAssets();
  return accent === null ? [style] : [style, accent];
};
