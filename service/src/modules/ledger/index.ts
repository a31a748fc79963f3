import { operatorCommands } from './commands.ts';
import { operatorRoutes } from './operator-routes.ts';
import { ledgerJobs } from './verify-books.ts';

// What the programs mount

export const ledgerModule = {
  name: 'ledger',
  migrations: ['0009_ledger.sql'],
  operatorRoutes: [operatorRoutes],
  jobs: [ledgerJobs],
  operatorCommands,
};

// Book a transition

export {
  type Account,
  accounts,
  type EntryPair,
  type Posting,
  post,
  postEntriesCtes,
  postingsValue,
} from './posting.ts';

// Read and verify the books

export { operatorRoutes } from './operator-routes.ts';
export { ledgerStore } from './store/ledger-store.ts';
export { type Verification, verifyBooks } from './verify-books.ts';
