// Routes

export { merchantRoutes } from './merchant-routes.ts';

// Read a customer

export { findCustomer, getCustomer, missingCustomer } from './get-customer.ts';
export { type CustomerView, customerView } from './view.ts';

// Delete one, as the end of the statement of a later module

export { removeCustomerSql } from './store.ts';
