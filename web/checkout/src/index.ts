export { type CheckoutAsset, type CheckoutAssets, checkoutAssets } from './checkout-assets.ts';
export { chooseLocale } from './choose-locale.ts';
export { type ContentSecurityOptions, contentSecurityPolicy } from './content-security-policy.ts';
export { type Locale, locales } from './locales.ts';
export { bankIcon } from './parts/bank-icon.ts';
export type { Assets } from './parts/page.ts';
export { renderCheckout } from './render-checkout.ts';
export { renderNotice } from './render-notice.ts';
export { type SearchableBank, searchBanks } from './search-banks.ts';
