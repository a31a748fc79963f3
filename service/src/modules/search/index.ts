// Writing

// Reading
export { findTransactions } from './find-transactions.ts';
export { searchJobs } from './jobs.ts';
export { joinWords, type Searchable, searchableRow, searchWords } from './search-words.ts';
export type { FoundTransaction } from './store/search-sql.ts';
export { searchableCtes, searchCtes } from './store/search-sql.ts';
