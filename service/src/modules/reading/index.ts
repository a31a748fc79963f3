export { readStatus } from './get-payment-status.ts';
export { merchantRoutes } from './merchant-routes.ts';
