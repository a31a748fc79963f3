import { operatorRoutes } from './find-payments.ts';
import { merchantRoutes } from './merchant-routes.ts';
import { sdkRoutes } from './sdk-routes.ts';

// What the programs mount

export const statusModule = {
  name: 'status',
  routes: [merchantRoutes],
  sdkRoutes: [sdkRoutes],
  operatorRoutes: [operatorRoutes],
};

export { merchantRoutes, readStatus, type StatusTools } from './merchant-routes.ts';
export { seenOfPayer } from './payment-status-view.ts';
export { sdkRoutes } from './sdk-routes.ts';
