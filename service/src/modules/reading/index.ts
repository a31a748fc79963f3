export { type ReadingTools, readStatus } from './get-payment-status.ts';
export { merchantRoutes } from './merchant-routes.ts';
export { sdkRoutes } from './sdk-routes.ts';
