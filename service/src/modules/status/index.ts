export { sdkRoutes } from './get-flat-transaction.ts';
export { merchantRoutes, readStatus, type StatusTools } from './get-payment-status.ts';
