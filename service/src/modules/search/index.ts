// Writing

// Reading
export { findTransactions } from './find-transactions.ts';
export { searchJobs } from './jobs.ts';
export { joinWords, searchWords } from './search-words.ts';
export { type Searchable, searchableRow } from './searchable-row.ts';
export { searchableCtes, searchCtes } from './store/search-ctes.ts';
export type { FoundTransaction } from './store/search-sql.ts';
