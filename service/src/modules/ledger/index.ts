export { postEntriesCtes, postingsValue } from './post-entries.ts';
export { type Account, accounts, type Posting, post, type Transfer } from './postings.ts';
export { ledgerStore } from './store.ts';
