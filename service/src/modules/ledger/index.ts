// Book a transition

export { postEntriesCtes, postingsValue } from './post-entries-ctes.ts';
export { type Account, accounts, type Posting, post, type Transfer } from './posting.ts';

// Read and verify the books

export { listAccountBalances } from './list-account-balances.ts';
export { ledgerStore } from './store/ledger-store.ts';
export { type Verification, verifyBooks } from './verify-books.ts';

// Routes and work without a caller

export { ledgerJobs } from './jobs.ts';
export { operatorRoutes } from './operator-routes.ts';
