/** A test in which one row or answer is bad and the others are not, or why there is none to plant. */
export type Proof =
  | { readonly file: string; readonly test: string }
  | { readonly none: string }
  /** Nobody has planted one yet. The list of these may only grow shorter. */
  | { readonly missing: string };

const modules = 'service/src/modules';
const isolation = 'test/isolation/planted-rows.test.ts';
const proof = (file: string, test: string): Proof => ({ file, test });
const none = (why: string): Proof => ({ none: why });

const prunes = none('deletes by age: it reads no value that could be bad');
const measures = none('counts rows, and writes nothing but a metric');
const books = (kind: string) =>
  proof(isolation, `books that cannot be added up stop those of no other: ${kind}`);
const reason = proof(
  isolation,
  'a reason with a byte that no column takes is recorded, and so are those beside it',
);
const mail = proof(
  'service/src/rails/mail-rail.test.ts',
  'a mail that cannot be written or sent has failed, and says why in what a column takes',
);
const fair = (test: string) => proof(`${modules}/payments/bank/fair-work.test.ts`, test);
const result = proof(
  `${modules}/webhooks/delivery/complete-attempts.test.ts`,
  '%s harms no other result, and is shown',
);
const hangs = proof(
  `${modules}/webhooks/delivery/dispatcher.test.ts`,
  'a hanging endpoint does not delay others',
);
const behind = proof(
  'service/src/platform/write-behind.test.ts',
  'an item that cannot be written costs no other',
);
const messages = proof(
  `${modules}/transfers/read-bank-messages.test.ts`,
  'of several messages one that cannot be taken is tried again, and the others count',
);
const accounts = proof(
  `${modules}/bank-feed/reading.test.ts`,
  'by hanging keeps no other bank waiting',
);
const customers = proof(
  isolation,
  'customers who cannot be erased stop no other, and are shown with a reason and a way on',
);
const unplaced = proof(
  `${modules}/payouts/jobs.test.ts`,
  'money that can be placed waits for no merchant whose money cannot',
);
const handOver = proof(
  'test/journeys/refunds/waiting-refunds.test.ts',
  'one that cannot be handed over stops no other, and no payout',
);
const batches = proof(
  `${modules}/transfers/submit-batches.test.ts`,
  'a batch whose creditor no key opens stops no other, and waits with its reason',
);
const links = proof(
  `${modules}/bank-feed/jobs.test.ts`,
  'links that cannot be ended stop no other, and wait with their reason',
);
const missing = (why: string): Proof => ({ missing: why });

const expiries = fair('sixty requests that cannot be expired delay no other by more than a round');
const abandoned = fair('sixty attempts that cannot be closed delay no other');
const polls = fair('polls that fail are put off, and the next of the same bank has its turn');
const slow = proof(
  `${modules}/payments/bank/run-due-calls.test.ts`,
  'polls of a slow bank are limited and delay no other bank',
);
const retention = proof(isolation, 'a payment that cannot be erased stops the retention of none');
const planted = missing('a row of it that throws is logged and tried again; none is planted yet');

/** Every job of the worker, by its name. */
const jobs: Readonly<Record<string, Proof>> = {
  expirePaymentRequests: expiries,
  closeAbandonedAttempts: abandoned,
  alertOperator: expiries,
  pollBanks: slow,
  pollCardProcessors: polls,
  captureBeforeExpiry: slow,
  handOverRefunds: handOver,
  pollRefunds: planted,
  fillPayouts: unplaced,
  closePayouts: handOver,
  watchAccounts: unplaced,
  reconcileBalances: planted,
  watchBankHolidays: none('reads the calendar of the program, and opens one case'),
  submitTransfers: batches,
  readProductionMessages: messages,
  readSandboxMessages: messages,
  endDueAuthorisations: links,
  refreshBankAccounts: accounts,
  removeEndedAuthorisations: planted,
  subscribeToBanks: planted,
  matchCredits: planted,
  reverseCredits: planted,
  takeLedgerSnapshots: books('TAKE_SNAPSHOT'),
  addUpMoneyDays: books('ADD_UP_MONEY'),
  verifyBooks: none('reads the books as a whole: what is wrong in them is what it reports'),
  reportOperatorCases: mail,
  sendMails: mail,
  sendPersonMails: mail,
  sendReceipts: mail,
  mailNotices: planted,
  mailFailingEndpoints: planted,
  detachCards: planted,
  eraseDeletedCustomers: customers,
  eraseOldData: retention,
  foldManyTransactionCounts: planted,
  foldTransactionCounts: planted,
  sealAudit: none('signs one record, the newest'),
  maintainTables: planted,
  countCredits: measures,
  countOperatorCases: measures,
  forgetWaysBack: prunes,
  pruneDetachments: prunes,
  pruneErasures: prunes,
  pruneOrderGuard: prunes,
  prunePersonMails: prunes,
  pruneReceipts: prunes,
  pruneSentMails: prunes,
  pruneSessions: prunes,
  pruneWebhookHours: prunes,
  pruneWorkLeases: prunes,
};

const claims = none('writes a lease and reads ids: its job shows what one row can do');

/** Every statement that writes rows of several merchants together, by its name. */
const statements: Readonly<Record<string, Proof>> = {
  delivery_complete: result,
  delivery_claim: hangs,
  delivery_cancel_waiting: claims,
  delivery_release: claims,
  payment_release_polls: claims,
  work_lease_finish: reason,
  request_log_insert: behind,
  page_opening_insert: behind,
  member_notice_mail: planted,
  transaction_count_fold: planted,
};

export const sharedWork = { jobs, statements };
