import { checkoutAssets } from '../assets/checkout-assets.ts';
import { accentStyle } from './accent-style.ts';

/** The styles that stand in a page, so that it is drawn when its first bytes have come. */
export const pageStyles = (accentColour: string | null): readonly string[] => {
  const accent = accentStyle(accentColour);
  const { style } = checkoutAssets();
  return accent === null ? [style] : [style, accent];
};
