import { checkoutRoutes, memberRoutes, merchantRoutes } from './checkout-routes.ts';
import { encryptedColumns } from './receipts/queue-receipt.ts';
import { receiptJobs } from './receipts/send-receipts.ts';
import { receiptDueAt } from './receipts/store.ts';
import { sdkRoutes } from './sdk/sdk-routes.ts';

// What the programs mount

export const checkoutModule = {
  name: 'checkout',
  migrations: ['0013_receipts_and_mails.sql'],
  routes: [merchantRoutes, memberRoutes],
  sdkRoutes: [sdkRoutes],
  pages: [checkoutRoutes],
  jobs: [receiptJobs],
  dueAt: { sendReceipts: receiptDueAt },
  encryptedColumns,
};

// Routes

export { type CheckoutRouteTools, merchantRoutes } from './checkout-routes.ts';

// The payer's input and the page

export { pagePath, readBankReturn } from './input/fields.ts';
export { type FormTokens, formTokens } from './input/payer-browser.ts';
export { openPageOpenings } from './pages/page-openings.ts';
export { localeOf, type PageTools } from './pages/payment-page.ts';
export { sendPicture } from './pages/pictures.ts';
export { nameOperator, sendHtml, sendNotice, sendPreview } from './pages/send-page.ts';
export { type WatchPayments, watchPayments } from './pages/watch-payments.ts';
export { type PreviewSettings, type PreviewStep, previewSteps, previewView } from './preview.ts';
export { merchantReturn, type V1Signatures, v1Signatures } from './views/merchant-return.ts';

// Paying by bank

export { finishAuthorisation } from './bank/finish-authorisation.ts';
export {
  type CheckoutTools,
  explainCannotStart,
  leaveCardPage,
  startBankPayment,
  statementReference,
} from './bank/start-bank-payment.ts';
export { findPaymentOfPage } from './pages/payment-page.ts';

// Paying by card

export { type CardStartOrder, takesCards } from './card/card-offer.ts';
export { payBySavedCard } from './card/pay-by-saved-card.ts';
export {
  type CardPaymentTools,
  type CardStart,
  startCardPayment,
} from './card/start-card-payment.ts';

// Apps and pages of merchants

export { allowOrigins } from './sdk/allow-origins.ts';
export type { SdkTools } from './sdk/sdk-routes.ts';

// Receipts and mailed links

export {
  isEmailAddress,
  queuePaymentLinkMail,
  recipientContext,
} from './receipts/queue-receipt.ts';
export { receiptJobs } from './receipts/send-receipts.ts';
export { failedReceipts, sendReceiptAgain } from './receipts/store.ts';
export { sdkRoutes } from './sdk/sdk-routes.ts';
