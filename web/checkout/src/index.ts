export {
  type CheckoutAsset,
  type CheckoutAssets,
  checkoutAssets,
} from './assets/checkout-assets.ts';
export {
  type ContentSecurityOptions,
  contentSecurityPolicy,
} from './assets/content-security-policy.ts';
export { html } from './html/html.ts';
export { cardCheckoutAddress, cardEndAddress } from './html/pay-address.ts';
export { chooseLocale, type Locale, locales } from './language/locales.ts';
export { bankIcon } from './parts/bank-picture.ts';
export type { PageOperator } from './parts/frame/page-footer.ts';
export { mailDocument, mailSubject, type PayerMail } from './parts/mail.ts';
export type { Assets } from './parts/page.ts';
export { plainAmount } from './plain-amount.ts';
export { fileLetters, type ReceiptSheet, receiptFile, type SheetLine } from './receipt-sheet.ts';
export { renderCheckout } from './render-checkout.ts';
export { renderCode } from './render-code.ts';
export { renderLink } from './render-link.ts';
export { type LinkMail, renderLinkMail } from './render-link-mail.ts';
export { renderNotice } from './render-notice.ts';
export { renderReceiptMail } from './render-receipt-mail.ts';
export { type RefundReceipt, refundFile, renderRefundMail } from './render-refund-receipt.ts';
export { type SearchableBank, searchBanks } from './search-banks.ts';
export { type FieldColours, fieldColours } from './style/accent-style.ts';
export { inkOn, plainHex } from './style/contrast.ts';
export { tellBanksApart } from './tell-banks-apart.ts';
