import Type from 'typebox';
import { oneLine, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const pages = [
  'payments',
  'refunds',
  'disputes',
  'payouts',
  'customers',
  'requests',
  'deliveries',
] as const;
const page = Type.Enum([...pages], { description: 'The page it is a view of.' });

const view = Type.Object({
  viewId: uuid(),
  page,
  name: Type.String(),
  query: Type.String(),
  updatedAt: timestamp(),
});

/** By name. Each person has their own, for each merchant and environment. */
export const listSavedViews = operation({
  id: 'listSavedViews',
  route: 'GET /views',
  access: 'member',
  summary: 'List the views that a person has saved of a page.',
  rules: ['DASHBOARD-47'],
  query: Type.Object({ page }),
  reply: Type.Object({ data: Type.Array(view) }),
});

/** Under a name that the page has already, it replaces that view. */
export const saveView = operation({
  id: 'saveView',
  route: 'PUT /views',
  access: 'member',
  summary: 'Save the filters of a page under a name.',
  rules: ['DASHBOARD-47'],
  body: Type.Object({
    page,
    name: Type.String({ ...oneLine, maxLength: limits.viewNameLength }),
    query: Type.String({
      maxLength: limits.viewQueryLength,
      pattern: '^\\?[!-~]*$',
      errorMessage: 'must be the part of an address from its question mark on',
    }),
  }),
  reply: view,
  failsWith: ['conflict'],
});

export const deleteView = operation({
  id: 'deleteView',
  route: 'DELETE /views/:viewId',
  access: 'member',
  summary: 'Delete a saved view.',
  rules: ['DASHBOARD-47'],
  params: Type.Object({ viewId: uuid() }),
  reply: Type.Object({ viewId: uuid() }),
});
