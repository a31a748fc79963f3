export { merchantRoutes, readStatus, type StatusTools } from './merchant-routes.ts';
export { sdkRoutes } from './sdk-routes.ts';
