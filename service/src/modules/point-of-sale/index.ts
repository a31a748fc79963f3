// Routes

export { codePageRoutes } from './code-pages.ts';
export { memberRoutes } from './member-routes.ts';
