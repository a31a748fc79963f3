import { limits } from '@florin/contract';
import type { Work } from './finish-work.ts';
import { type Fragment, sql } from './sql.ts';

type StuckSource = {
  readonly kind: string;
  /** Tables, the row of the work as `w`. */
  readonly from: string;
  /** Of the work that is still to be done; with `dueAt` it leads to the rows by an index. */
  readonly where: string;
  readonly dueAt: string;
  readonly workId: string;
  /** Left out: the time at which it is due. */
  readonly since?: string;
  /** Left out: work of no merchant. */
  readonly merchantId?: string;
  readonly paymentRequestId?: string;
  readonly leasedUntil?: string;
  /** How often it was tried. Left out: it counts as stuck when it is overdue alone. */
  readonly attempts?: string;
  readonly lastError?: string;
  /** The longest pause before a next try, for which rows that are due later are read too. */
  readonly longestPause?: string;
  readonly maxAttempts?: number;
  /** Stuck as well when it has been open for so long. */
  readonly openHours?: number;
  /** Pauses and errors that stand in a row of `work_lease`. */
  readonly pausedAs?: string;
};

const overdue = `interval '${limits.stuckOverdueMinutes} minutes'`;

/**
 * Work of one kind that is overdue or has failed many times, as rows of `stuckColumns`. Of each kind the
 * first rows are read in the order in which they are due, so that a backlog costs no more than that.
 */
export const stuckRows = (source: StuckSource): Fragment<'limit'> => {
  const { since = source.dueAt, maxAttempts = limits.stuckFailures, openHours } = source;
  const isOnlyOverdue = source.attempts === undefined && !source.pausedAs && !openHours;
  const until = isOnlyOverdue ? `- ${overdue}` : `+ interval '${source.longestPause ?? '0'}'`;
  const pause = pauseOf(source);
  return sql('limit')`
   (select '${source.kind}' as kind, s.merchant_id, s.environment, s.work_id,
      s.payment_request_id, s.since, ${pause.until} as paused_until,
      ${pause.leasedUntil} as leased_until, ${pause.attempts} as attempts,
      ${pause.lastError} as last_error
    from (
      select ${source.merchantId ?? 'null::uuid'} as merchant_id, w.environment,
        ${source.workId}::text as work_id,
        ${source.paymentRequestId ?? 'null::uuid'} as payment_request_id, ${since} as since,
        ${source.dueAt} as due_at, ${source.leasedUntil ?? 'null::timestamptz'} as leased_until,
        ${source.attempts ?? '0'} as attempts, ${source.lastError ?? 'null::text'} as last_error
      from ${source.from}
      where ${source.where} and ${source.dueAt} <= statement_timestamp() ${until}
      order by ${source.dueAt} limit ${limits.stuckScanMax}) s${pause.join}
    where s.due_at <= statement_timestamp() - ${overdue} or ${pause.attempts} >= ${maxAttempts}${
      openHours ? ` or s.since <= statement_timestamp() - interval '${openHours} hours'` : ''
    }
    order by s.since limit :limit)`;
};

/** Work that has no row of its own until it fails: it is shown from its first failure. */
export const putOffRows = (kind: string, work: Work, paymentRequestId?: string) =>
  stuckRows({
    ...{ kind, merchantId: 'w.merchant_id', workId: 'w.subject_id', from: 'work_lease w' },
    where: `w.work = '${work}' and w.failures > 0`,
    ...{ dueAt: 'w.leased_until', leasedUntil: 'null::timestamptz', longestPause: '2 hours' },
    ...{ attempts: 'w.failures', lastError: 'w.last_error', maxAttempts: 1 },
    ...(paymentRequestId ? { paymentRequestId } : {}),
  });

const pauseOf = ({ pausedAs }: StuckSource) =>
  pausedAs
    ? {
        join: `
    left join work_lease l on l.merchant_id = s.merchant_id and l.environment = s.environment
      and l.subject_id = s.work_id::uuid and l.work = '${pausedAs}'`,
        until: 'case when l.failures > 0 then l.leased_until end',
        leasedUntil: 'case when l.failures = 0 then l.leased_until else s.leased_until end',
        attempts: 'coalesce(l.failures, 0)',
        lastError: 'l.last_error',
      }
    : {
        join: '',
        until: 's.due_at',
        leasedUntil: 's.leased_until',
        attempts: 's.attempts',
        lastError: 's.last_error',
      };

/** What a try is remembered by: no address of a mail, no byte that no column takes, no more than a line. */
export const errorText = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace(/\S+@\S+/g, '…')
    .replaceAll('\0', '\ufffd')
    .slice(0, limits.stuckErrorLength);
