export { type CheckoutRouteTools, checkoutRoutes } from './checkout-routes.ts';
export { explainCannotStart } from './explain-cannot-start.ts';
export { findLinkedPayment, finishAuthorisation } from './finish-authorisation.ts';
export { type FormTokens, formTokens } from './form-token.ts';
export { merchantReturn, type V1Signatures, v1Signatures } from './merchant-return.ts';
export { type SandboxTools, sandboxRoutes } from './sandbox-routes.ts';
export { type CheckoutTools, startBankPayment } from './start-bank-payment.ts';
export { type WatchPayments, watchPayments } from './watch-payments.ts';
