// Routes

export { merchantRoutes } from './customers.ts';

// Read a customer

export {
  type CustomerView,
  customerView,
  findCustomer,
  getCustomer,
  missingCustomer,
} from './customers.ts';

// Delete one, as the end of the statement of a later module

export { removeCustomerSql } from './store.ts';
