import { searchJobs } from './jobs.ts';

// What the programs mount

export const searchModule = {
  name: 'search',
  migrations: ['0010_search.sql'],
  jobs: [searchJobs],
};

// Reading
export { addUpTransactions, findTransactions } from './find-transactions.ts';
export {
  joinWords,
  namedBy,
  readSearchText,
  type Searchable,
  searchableRow,
  searchWords,
} from './search-words.ts';
export type { FoundTransaction } from './store/search-sql.ts';
export { searchableCtes, searchCtes } from './store/search-sql.ts';
