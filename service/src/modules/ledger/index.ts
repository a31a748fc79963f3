// Book a transition

export {
  type Account,
  accounts,
  type Posting,
  post,
  postEntriesCtes,
  postingsValue,
  type Transfer,
} from './posting.ts';

// Read and verify the books

export { listAccountBalances } from './operator-routes.ts';
export { ledgerStore } from './store/ledger-store.ts';
export { type Verification, verifyBooks } from './verify-books.ts';

// Routes and work without a caller

export { operatorRoutes } from './operator-routes.ts';
export { ledgerJobs } from './verify-books.ts';
