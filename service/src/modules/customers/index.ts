import { merchantRoutes } from './customers.ts';

// What the programs mount

export const customersModule = {
  name: 'customers',
  migrations: ['0011_customers_and_cards.sql'],
  routes: [merchantRoutes],
};

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
