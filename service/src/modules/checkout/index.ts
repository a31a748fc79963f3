// Routes

export { type CheckoutRouteTools, checkoutRoutes } from './checkout-routes.ts';
export { merchantRoutes } from './merchant-routes.ts';

// The payer's input and the page

export { pagePath } from './input/fields.ts';
export { type FormTokens, formTokens } from './input/form-token.ts';
export { readBankReturn } from './input/read-bank-return.ts';
export { openPageOpenings } from './openings/open-page-openings.ts';
export type { PageTools } from './pages/payment-page.ts';
export { localeOf } from './pages/remember-choices.ts';
export { sendHtml, sendNotice, sendPreview } from './pages/send-page.ts';
export { sendPicture } from './pages/send-picture.ts';
export { type WatchPayments, watchPayments } from './pages/watch-payments.ts';
export { type PreviewStep, previewSteps } from './preview/preview-step.ts';
export { type PreviewSettings, previewView } from './preview/preview-view.ts';
export { merchantReturn, type V1Signatures, v1Signatures } from './views/merchant-return.ts';

// Paying by bank

export { explainCannotStart } from './bank/explain-cannot-start.ts';
export { findLinkedPayment, finishAuthorisation } from './bank/finish-authorisation.ts';
export { leaveCardPage } from './bank/leave-card-page.ts';
export { type CheckoutTools, startBankPayment } from './bank/start-bank-payment.ts';

// Paying by card

export { takesCards } from './card/card-offer.ts';
export type { CardStartOrder } from './card/card-session-order.ts';
export { payBySavedCard } from './card/pay-by-saved-card.ts';
export {
  type CardPaymentTools,
  type CardStart,
  startCardPayment,
} from './card/start-card-payment.ts';

// Apps and pages of merchants

export { openToOrigins } from './sdk/open-to-origins.ts';
export { type SdkTools, sdkRoutes } from './sdk/sdk-routes.ts';

// Receipts and mailed links

export { queueLinkMail } from './receipts/queue-link-mail.ts';
export { isEmailAddress, recipientContext } from './receipts/queue-receipt.ts';
export { receiptJobs } from './receipts/send-receipts.ts';
export { failedReceipts, receiptDueAt, sendReceiptAgain } from './receipts/store.ts';

// What a new master key encrypts again

export { encryptedColumns } from './encrypted-columns.ts';
