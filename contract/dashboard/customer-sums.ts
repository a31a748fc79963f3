import Type from 'typebox';
import { nullable, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const uuidText = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const uuidLength = 36;

/** Of a page of customers, or of one. */
export const addUpCustomers = operation({
  id: 'addUpCustomers',
  route: 'GET /customer-sums',
  access: 'member',
  summary: 'Add up what customers have paid.',
  rules: ['DASHBOARD-52'],
  query: Type.Object({
    customerIds: Type.String({
      maxLength: limits.pageSizeMax * (uuidLength + 1),
      pattern: `^${uuidText}(,${uuidText})*$`,
      errorMessage: 'must be ids with commas between them',
    }),
  }),
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        customerId: uuid(),
        payments: Type.Integer({ description: 'Those that were paid.' }),
        spent: Type.Number({ description: 'Pounds: paid, less what went back.' }),
        lastPaidAt: nullable(timestamp()),
        isMinimum: Type.Boolean({
          description: `There are more: of each the newest ${limits.customerPaymentsRead} tries are read.`,
        }),
      }),
    ),
  }),
});
