// Routes

export { codePageRoutes } from './codes/code-page-routes.ts';
export { memberRoutes } from './member-routes.ts';
