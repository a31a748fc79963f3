import { codePageRoutes } from './code-pages.ts';
import { memberRoutes } from './member-routes.ts';

// What the programs mount

export const pointOfSaleModule = {
  name: 'point-of-sale',
  routes: [memberRoutes],
  pages: [codePageRoutes],
};
