export { explainCannotStart } from './bank/explain-cannot-start.ts';
export { findLinkedPayment, finishAuthorisation } from './bank/finish-authorisation.ts';
export { leaveCardPage } from './bank/leave-card-page.ts';
export { type CheckoutTools, startBankPayment } from './bank/start-bank-payment.ts';
export { takesCards } from './card/card-offer.ts';
export type { CardStartOrder } from './card/card-order.ts';
export { payBySavedCard } from './card/pay-by-saved-card.ts';
export {
  type CardPaymentTools,
  type CardStart,
  startCardPayment,
} from './card/start-card-payment.ts';
export { type CheckoutRouteTools, checkoutRoutes } from './checkout-routes.ts';
export { type FormTokens, formTokens } from './input/form-token.ts';
export { merchantRoutes } from './merchant-routes.ts';
export { type WatchPayments, watchPayments } from './pages/watch-payments.ts';
export { receiptJobs } from './receipts/send-receipts.ts';
export { openToOrigins } from './sdk/open-to-origins.ts';
export { type SdkTools, sdkRoutes } from './sdk/sdk-routes.ts';
export { merchantReturn, type V1Signatures, v1Signatures } from './views/merchant-return.ts';
