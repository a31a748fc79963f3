export { readStatus, type StatusTools } from './get-payment-status.ts';
export { merchantRoutes } from './merchant-routes.ts';
export { sdkRoutes } from './sdk-routes.ts';
