export { findCustomer, getCustomer, missingCustomer } from './get-customer.ts';
export { merchantRoutes } from './merchant-routes.ts';
export { removeCustomerSql } from './store.ts';
export { type CustomerView, customerView } from './view.ts';
