export type Alert = {
  readonly name: string;
  /**
   * A number of `/metrics`; `growth`: how much it has grown within five minutes, `loss`: how far it is below
   * the most of a day.
   */
  readonly of: string;
  readonly by?: 'growth' | 'loss';
  /** Of these series alone. */
  readonly where?: Readonly<Record<string, string>>;
  readonly is: 'above' | 'below';
  readonly limit: number;
  /** So long before somebody is called, as Prometheus writes it. */
  readonly lasting: string;
  /** PAGE: money or the service stands still. */
  readonly calls: 'PAGE' | 'TICKET';
  readonly means: string;
  readonly todo: string;
};

const production = { environment: 'PRODUCTION' } as const;
const days = (count: number) => count * 24 * 60 * 60;

/** What an operator is called for. A test breaks each thing and sees its alert. */
export const alerts = [
  {
    name: 'FlorinDatabaseUnreachable',
    ...{ of: 'florin_database_reachable', is: 'below', limit: 1, lasting: '1m', calls: 'PAGE' },
    means: 'A program cannot read its database, so nothing is taken and nothing is paid out.',
    todo:
      'See whether PostgreSQL runs and takes connections. ' +
      'Where a standby was promoted, see docs/HIGH-AVAILABILITY.md, also for what may be lost; ' +
      'programs go on by themselves once the server is back.',
  },
  {
    name: 'FlorinDatabaseTakesNoWrites',
    ...{ of: 'florin_database_takes_writes', is: 'below', limit: 1, lasting: '1m', calls: 'PAGE' },
    means: 'The database answers reads and no writes: callers get 503.',
    todo:
      'See whether its disk is full, whether it waits for a synchronous standby that is gone, and ' +
      'whether it became read-only. Programs go on by themselves.',
  },
  {
    name: 'FlorinEpochUnconfirmed',
    ...{ of: 'florin_database_epochs_unconfirmed', is: 'above', limit: 0 },
    ...{ lasting: '0m', calls: 'PAGE' },
    means:
      'The data was restored, or a standby was promoted: no transfer is sent, and a program that ' +
      'starts again refuses to.',
    todo:
      'Run `npm run operator -- reconcile`, look at what may be missing, then ' +
      '`npm run operator -- confirm-epoch` ("After a restore or a promotion" in docs/OPERATING.md).',
  },
  {
    name: 'FlorinMerchantPaused',
    ...{ of: 'florin_merchants_paused', is: 'above', limit: 0, lasting: '1m', calls: 'PAGE' },
    means: 'The move of a merchant to another cell ended in its pause: callers of it get 503.',
    todo:
      'See `npm run operator -- moves`, then run `move-merchant` again at once, or `cancel-move` ' +
      '(docs/CELLS.md).',
  },
  {
    name: 'FlorinMoveLeft',
    ...{ of: 'florin_merchant_moves_left', is: 'above', limit: 0, lasting: '10m', calls: 'PAGE' },
    means:
      'The move of a merchant to or from another cell has begun, and no command goes on with it: ' +
      'until it ends the server may keep its log, which fills the disk.',
    todo:
      'See `npm run operator -- moves`, then run `move-merchant` again, or `cancel-move`. With the other ' +
      'cell down `abandon-move` ends it here, and drops what keeps the log (docs/CELLS.md). ' +
      '`select slot_name, wal_status, restart_lsn from pg_replication_slots` says what is kept.',
  },
  {
    name: 'FlorinStandbyGone',
    ...{ of: 'florin_database_standbys', by: 'loss', is: 'above', limit: 0 },
    ...{ lasting: '1m', calls: 'PAGE' },
    means: 'Fewer standbys follow the database than within the last day.',
    todo:
      'See whether its PostgreSQL runs and reaches the primary. With the last of the synchronous ' +
      'standbys gone writes wait and are answered 503: start it again, or take it out of ' +
      '`synchronous_standby_names`.',
  },
  {
    name: 'FlorinStandbyBehind',
    ...{ of: 'florin_database_standby_behind_bytes', is: 'above', limit: 67_108_864 },
    ...{ lasting: '5m', calls: 'TICKET' },
    means:
      'A standby is 64 MB of log behind the primary: promoted now, it would lose what is in it.',
    todo:
      'See its CPU, disk and network, and whether a long query on it holds the replay. ' +
      'The number is there where `florin_system` may read it: `grant pg_read_all_stats to florin_system`.',
  },
  {
    name: 'FlorinCertificateEnds',
    ...{
      of: 'florin_certificate_days_left',
      is: 'below',
      limit: 21,
      lasting: '1h',
      calls: 'TICKET',
    },
    means:
      'A certificate ends in less than three weeks: `client` is ours, which every bank looks at, ' +
      '`bank` that of the bank at `of`.',
    todo:
      'Ours: have the directory renew it, make it known at each bank and put it in place of the ' +
      'file, on every machine ("Your banks" in docs/OPERATING.md). A bank renews its own: tell it.',
  },
  {
    name: 'FlorinCertificateEndsNow',
    ...{ of: 'florin_certificate_days_left', is: 'below', limit: 3, lasting: '0m', calls: 'PAGE' },
    means: 'A certificate ends within three days: after it no payment by bank can be made with it.',
    todo: 'As above, now.',
  },
  {
    name: 'FlorinWorkWaits',
    ...{ of: 'florin_work_overdue_seconds', is: 'above', limit: 300, lasting: '5m', calls: 'PAGE' },
    means: 'Work of the kind `job` has been due for five minutes and nobody does it.',
    todo:
      'See whether a worker runs (`/health` on METRICS_PORT) and what it logs. ' +
      'The page "Jobs" of the operator says why the job fails; other kinds of work go on meanwhile.',
  },
  {
    name: 'FlorinNotObserved',
    ...{ of: 'florin_observation_faults', is: 'above', limit: 0, lasting: '5m', calls: 'PAGE' },
    means: 'The program cannot read what these alerts look at: the other numbers are old.',
    todo:
      'The log says why ("the installation could not be observed"). With the database away ' +
      'FlorinDatabaseUnreachable says so too; else see "A job fails" in docs/OPERATING.md.',
  },
  {
    name: 'FlorinJobFails',
    ...{ of: 'florin_job_failing_seconds', is: 'above', limit: 300, lasting: '1m', calls: 'PAGE' },
    means: 'The job `job` has failed as a whole at every run for five minutes: what it does waits.',
    todo:
      'Its reason stands on the page "Jobs" of the operator, in `npm run operator -- stuck-work` and in ' +
      'the log. "A job fails" in docs/OPERATING.md says what then; "Try now" on the page runs it at once.',
  },
  {
    name: 'FlorinBooksDiffer',
    ...{ of: 'florin_books_faults', is: 'above', limit: 0, lasting: '1m', calls: 'PAGE' },
    means: 'The last verification found books that do not balance or an invariant of money broken.',
    todo:
      'Run `npm run operator -- verify-books`: it names accounts and transactions. ' +
      'Suspend the merchant until it is explained (`npm run merchant -- <id> production suspend`): ' +
      'its payouts wait, and nothing new begins. The case BOOKS_BROKEN or BOOKS_UNBALANCED has the evidence.',
  },
  {
    name: 'FlorinBooksNotVerified',
    of: 'florin_books_verified_seconds_ago',
    ...{ is: 'above', limit: days(2), lasting: '10m', calls: 'TICKET' },
    means: 'No verification of the books has ended for two days.',
    todo: 'Run `npm run operator -- verify-books` and see what it says, and how long it takes.',
  },
  {
    name: 'FlorinAccountDiffers',
    of: 'florin_account_difference_pence',
    where: production,
    ...{ is: 'above', limit: 0, lasting: '30m', calls: 'PAGE' },
    means: 'The bank of the collecting account reports more than the books hold.',
    todo: 'Open the case BANK_BALANCE_DIFFERS: it names both sides and since when.',
  },
  {
    name: 'FlorinAccountLacksMoney',
    of: 'florin_account_difference_pence',
    where: production,
    ...{ is: 'below', limit: 0, lasting: '30m', calls: 'PAGE' },
    means: 'The bank of the collecting account reports less than the books hold.',
    todo: 'Open the case BANK_BALANCE_DIFFERS and look for a debit that nobody explained.',
  },
  {
    name: 'FlorinAccountNotReconciled',
    of: 'florin_account_reconciled_seconds_ago',
    where: production,
    ...{ is: 'above', limit: days(2), lasting: '10m', calls: 'TICKET' },
    means: 'The books have not agreed with a report of the bank for two days.',
    todo:
      'See whether reports of the bank arrive (page "Queues", tab "Messages put aside"), and the case ' +
      'that is open.',
  },
  {
    name: 'FlorinCaseWaits',
    of: 'florin_case_oldest_seconds',
    where: production,
    ...{ is: 'above', limit: days(1), lasting: '1m', calls: 'TICKET' },
    means: 'A case of the kind `kind` has waited for a person for a day.',
    todo: '`npm run operator -- cases` lists them with what to do; `resolve` closes one with a sentence.',
  },
  {
    name: 'FlorinErrors',
    of: 'florin_http_requests_total',
    by: 'growth',
    where: { status: '5xx' },
    ...{ is: 'above', limit: 10, lasting: '0m', calls: 'PAGE' },
    means:
      'A route of the API or the page has answered more than ten times with 5xx in five minutes.',
    todo:
      'Search the log for `"level":50` or the request id. ' +
      '503 with a database that is down is the alert above; anything else is a fault of Florin: ' +
      'keep the log lines.',
  },
  {
    name: 'FlorinBankUnavailable',
    of: 'florin_bank_unavailable_total',
    by: 'growth',
    ...{ is: 'above', limit: 0, lasting: '0m', calls: 'TICKET' },
    means: 'The bank `bank` has not answered five calls, one after the other, within five minutes.',
    todo: 'See the page "Banks" and the status page of the bank. Payers see that it is unavailable.',
  },
  {
    name: 'FlorinBankMessagesUnread',
    of: 'florin_bank_messages_unread_total',
    by: 'growth',
    ...{ is: 'above', limit: 2, lasting: '5m', calls: 'PAGE' },
    means:
      'The messages of the collecting account are not read: credits stay unknown, refunds and payouts open.',
    todo:
      'The log says why ("bank messages are not read"). Of files see "The folder of the bank\'s files" ' +
      'in docs/OPERATING.md; else ask the bank.',
  },
  {
    name: 'FlorinDatabaseBusy',
    ...{ of: 'florin_database_waiting', is: 'above', limit: 20, lasting: '5m', calls: 'TICKET' },
    means: 'Statements wait for a connection.',
    todo: 'Look for long statements in `pg_stat_activity`; else give programs more connections.',
  },
  {
    name: 'FlorinProgramBusy',
    of: 'florin_event_loop_delay_seconds',
    ...{ is: 'above', limit: 0.5, lasting: '5m', calls: 'TICKET' },
    means: 'One of a hundred turns of a program takes longer than half a second.',
    todo: 'It lacks CPU: run another process, or give it a core of its own.',
  },
  {
    name: 'FlorinClockWrong',
    of: 'florin_clock_off_seconds',
    ...{ is: 'above', limit: 2, lasting: '1m', calls: 'TICKET' },
    means: 'The clock of a machine differs from that of the database by more than two seconds.',
    todo:
      'Synchronise both (NTP): banks refuse signatures of a wrong time. ' +
      'The log of its start says which of the two is ahead.',
  },
  {
    name: 'FlorinHolidaysEnd',
    ...{
      of: 'florin_bank_holidays_days_left',
      is: 'below',
      limit: 60,
      lasting: '1h',
      calls: 'TICKET',
    },
    means: 'The list of bank holidays ends in less than sixty days.',
    todo: 'Install a newer version of Florin, or add the days (see the case BANK_HOLIDAYS_END).',
  },
] as const satisfies readonly Alert[];

/** PromQL. */
export const expressionOf = ({ of, by, where = {}, is, limit }: Alert): string => {
  const labels = Object.entries(where).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  const series = labels.length === 0 ? of : `${of}{${labels.join(',')}}`;
  const value = {
    growth: `increase(${series}[5m])`,
    loss: `max_over_time(${series}[1d]) - ${series}`,
    value: series,
  }[by ?? 'value'];
  return `${value} ${is === 'above' ? '>' : '<'} ${limit}`;
};
