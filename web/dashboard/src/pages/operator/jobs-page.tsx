import {
  hurrySharedWork,
  hurryWork,
  limits,
  listStuckWork,
  type ReplyOf,
  sharedWorkKinds,
  type WorkKind,
  workKinds,
} from '@florin/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isEnvironment } from '../../call/tenant.ts';
import { useAct, useOperation } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { OneChoice } from '../../parts/filter-fields.tsx';
import { asWritten } from '../../parts/filters.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { sentenceCase } from '../../parts/status-badge.tsx';
import { DateText } from '../../parts/texts.tsx';
import { now, writeAge } from '../../parts/times.ts';
import { inAddress, useFilters } from '../../parts/use-filters.tsx';
import classes from './jobs-page.module.css';

const pageSize = 25;

const columns: readonly Column<StuckWork>[] = [
  {
    id: 'what',
    title: 'Work',
    isMain: true,
    cell: ({ title, advice }) => (
      <div className={classes.lines}>
        <strong>{title}</strong>
        <div className="soft">{advice}</div>
      </div>
    ),
  },
  { id: 'age', title: 'Since', cell: ({ since }) => writeAge(new Date(since), now()) },
  { id: 'attempts', title: 'Attempts', isRight: true, cell: ({ attempts }) => attempts || null },
  {
    id: 'failure',
    title: 'Last failure',
    cell: ({ lastFailure }) => lastFailure && <div className={classes.lines}>{lastFailure}</div>,
  },
  { id: 'merchant', title: 'About', cell: (work) => <Subject of={work} /> },
  { id: 'next', title: 'Next attempt', cell: (work) => <NextTry of={work} /> },
  { id: 'due', title: 'Due', isExtra: true, at: ({ since }) => since },
  { id: 'id', title: 'Id', isExtra: true, code: ({ workId }) => workId },
];

const Subject = ({ of }: { readonly of: StuckWork }): ReactNode => {
  const { merchantId, businessName, paymentRequestId, environment } = of;
  if (environment === null) return 'The installation';
  const name = environment.toLowerCase();
  if (merchantId === null) return `The installation, ${name}`;
  const merchant = `/operator/merchants/${merchantId}`;
  const to = paymentRequestId === null ? merchant : `${merchant}/payments/${paymentRequestId}`;
  return (
    <>
      <Link to={to} search={isEnvironment(name) ? { environment: name } : {}}>
        {paymentRequestId === null ? businessName : `A payment of ${businessName}`}
      </Link>
      <div className="soft">{sentenceCase(environment)}</div>
    </>
  );
};

const NextTry = ({ of }: { readonly of: StuckWork }): ReactNode => {
  if (of.isRunning) return 'Running now';
  return (
    <>
      {of.nextAt ? <DateText at={of.nextAt} /> : waits(of)} {of.canHurry && <HurryWork work={of} />}
    </>
  );
};

const waits = ({ kind }: StuckWork): string =>
  kind === 'RUN_JOB' ? 'In its next round' : 'As soon as a worker is free';

const kindWords = asWritten(workKinds);

const says =
  `Work that is overdue by ${limits.stuckOverdueMinutes} minutes, ` +
  `or that failed ${limits.stuckFailures} times`;

/** Timed work that does not get done. */
export const JobsPage = (): ReactNode => {
  const { filters, change, page, onPage } = useFilters({ kind: inAddress.choice(kindWords) });
  const { kind } = filters;
  const found = useOperation(listStuckWork, { query: { page: page - 1, size: pageSize, kind } });
  const kinds = found.data?.kinds ?? [];
  const words = kinds.map((each) => [each.kind, `${each.title} (${each.count})`]);
  return (
    <>
      <PageTitle title="Jobs" says={says} />
      <DataTable<StuckWork>
        name="jobs"
        caption="Work of jobs that is stuck, what is stuck longest first"
        columns={columns}
        rowKey={({ kind: each, merchantId, workId }) => `${each}${merchantId}${workId}`}
        read={found}
        toolbar={
          kinds.length > 0 && (
            <OneChoice<WorkKind>
              label="What"
              words={Object.fromEntries(words)}
              chosen={kind}
              onChoose={(kind) => change({ kind })}
            />
          )
        }
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
        empty={
          <EmptyState title="Nothing is stuck" icon="check">
            Workers poll banks, expire requests, hand money over and delete what has ended. What
            they cannot finish is listed here, with the reason and the next attempt.
          </EmptyState>
        }
      />
    </>
  );
};

type StuckWork = ReplyOf<typeof listStuckWork>['data'][number];

/** Ends the pause before the next try, and nothing else. */
const HurryWork = ({ work }: { readonly work: StuckWork }): ReactNode => {
  const hurry = useAct(hurryWork, { changes: [listStuckWork] });
  const hurryShared = useAct(hurrySharedWork, { changes: [listStuckWork] });
  const environment = (work.environment ?? '').toLowerCase();
  const { merchantId, kind, workId } = work;
  const shared = sharedWorkKinds.find((each) => each === kind);
  const send = async (): Promise<void> => {
    if (shared) {
      await hurryShared.mutateAsync({ body: { kind: shared, workId } });
      return;
    }
    if (!isEnvironment(environment)) throw new Error(`There is no environment ${environment}.`);
    await hurry.mutateAsync({
      params: { merchantId: merchantId ?? '', environment, kind, workId },
    });
  };
  return (
    <ActButton
      size="compact-sm"
      says="Try now"
      title={`${work.title}: try now`}
      act="Try now"
      onConfirm={send}
    >
      <p>
        {work.businessName && `${work.businessName}, ${environment}. `}
        {work.advice}
      </p>
      <p className="soft">
        A worker does now what it would do after the pause. It first checks what became of the last
        attempt, so nothing is sent twice. A failure makes the next pause longer.
      </p>
    </ActButton>
  );
};
