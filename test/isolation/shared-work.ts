/** A test in which one row or answer is bad and the others are not, or why there is none to plant. */
export type Proof = { readonly file: string; readonly test: string } | { readonly none: string };

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
  'test/isolation/mails.test.ts',
  'a mail that cannot be written or sent stops no other, and is shown: every queue',
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
const byLease = (test: string) => proof('test/isolation/paused-by-lease.test.ts', test);
const ownPause = (test: string) => proof('test/isolation/own-pauses.test.ts', test);
const whole = (test: string) => proof('test/isolation/whole-installation.test.ts', test);
const tables = proof(
  'test/isolation/whole-jobs.test.ts',
  'a table that cannot be maintained stops no other, and is named to the operator',
);
const gathered = 'test/isolation/gathered-rows.test.ts';
const days = (job: string) =>
  proof(gathered, `a day that cannot be summed up stops no other day: ${job}`);
const notices = proof(
  gathered,
  'a notice that cannot be mailed stops no other, of its merchant or of others',
);
const failing = proof(
  gathered,
  'an endpoint whose failing cannot be counted in hours stops no mail about others',
);
const monthly = proof(
  gathered,
  'a statement that cannot be mailed keeps no other waiting, and is mailed once it can be',
);

const expiries = fair('sixty requests that cannot be expired delay no other by more than a round');
const abandoned = fair('sixty attempts that cannot be closed delay no other');
const polls = fair('polls that fail are put off, and the next of the same bank has its turn');
const slow = proof(
  `${modules}/payments/bank/run-due-calls.test.ts`,
  'polls of a slow bank are limited and delay no other bank',
);
const retention = proof(isolation, 'a payment that cannot be erased stops the retention of none');

/** Every job of the worker, by its name. */
const jobs: Readonly<Record<string, Proof>> = {
  expirePaymentRequests: expiries,
  closeAbandonedAttempts: abandoned,
  alertOperator: byLease('a blocked attempt whose payment is missing keeps the case of no other'),
  pollBanks: slow,
  pollCardProcessors: polls,
  captureBeforeExpiry: byLease(
    'a capture whose account no key opens keeps no other, and each is captured once',
  ),
  sendDisputeAnswers: byLease(
    'an answer whose account no key opens keeps no other, and is sent when one does',
  ),
  handOverRefunds: handOver,
  pollRefunds: ownPause(
    'refunds whose state no key opens keep no other, and wait with their reason',
  ),
  fillPayouts: unplaced,
  closePayouts: byLease(
    'a payout that cannot be written keeps none of its merchant, and none of another',
  ),
  watchAccounts: unplaced,
  reconcileBalances: whole(
    'a balance that cannot be compared keeps no other, and is a case until it can be',
  ),
  watchBankHolidays: none('reads the calendar of the program, and opens one case'),
  submitTransfers: batches,
  readProductionMessages: messages,
  readSandboxMessages: messages,
  endDueAuthorisations: links,
  refreshBankAccounts: accounts,
  removeEndedAuthorisations: ownPause(
    'a consent that cannot be ended keeps no other, and waits with its reason',
  ),
  subscribeToBanks: whole(
    'a bank that hangs or throws keeps the notifications of no other, and is a case',
  ),
  matchCredits: ownPause('a credit whose payment is not there keeps no other, and says why'),
  reverseCredits: ownPause('a debit whose credit cannot be written keeps no other, and says why'),
  takeLedgerSnapshots: books('TAKE_SNAPSHOT'),
  addUpMoneyDays: books('ADD_UP_MONEY'),
  verifyBooks: none('reads the books as a whole: what is wrong in them is what it reports'),
  reportOperatorCases: mail,
  sendMails: mail,
  sendPersonMails: mail,
  sendReceipts: mail,
  mailNotices: notices,
  mailStatements: monthly,
  mailFailingEndpoints: failing,
  detachCards: ownPause(
    'a card that cannot be opened, or whose end cannot be written, stops no other detachment',
  ),
  eraseDeletedCustomers: customers,
  eraseOldData: retention,
  foldManyTransactionCounts: days('foldManyTransactionCounts'),
  foldTransactionCounts: days('foldTransactionCounts'),
  sealAudit: none('signs one record, the newest'),
  maintainTables: tables,
  countCredits: measures,
  countOperatorCases: measures,
  forgetWaysBack: prunes,
  pruneDetachments: prunes,
  pruneErasures: prunes,
  pruneKeptMessages: prunes,
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
  work_lease_finish: reason,
  request_log_insert: behind,
  page_opening_insert: behind,
  member_notice_mail: notices,
  member_notice_failing: failing,
  transaction_count_fold: days('foldTransactionCounts'),
};

const byAge = 'deletes by age: what it is late for keeps no work waiting';
const inOrder = 'takes production first: it is ordered by the environment';

/** Statements that take rows of both environments without a share of each, and why. */
const withoutShare: Readonly<Record<string, string>> = {
  bank_removal_forget_ways_back: byAge,
  card_charge_guard_prune: byAge,
  delivery_claim: 'each endpoint has slots of its own, and is of one environment',
  bank_message_drop_kept: byAge,
  money_day_tenants: inOrder,
  // Most are about the person (a link, an invite), and a member is one person in both environments.
  // Mails on which the server hangs hold no other.
  person_mail_claim: 'a person is of no environment, nor is the queue of mails to persons',
  person_mail_prune: byAge,
  person_session_prune: byAge,
  receipt_prune: byAge,
  webhook_endpoint_failing: 'reads all endpoints in turn, page by page',
  webhook_hour_prune: byAge,
};

export const sharedWork = { jobs, statements, withoutShare };
