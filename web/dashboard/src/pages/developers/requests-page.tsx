import type { ReplyOf } from '@florin/contract';
import { listRequests, type requestResults } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { OneChoice, SearchField } from '../../parts/filter-fields.tsx';
import { readSearch, type Search, useFilters } from '../../parts/filters.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import classes from '../../parts/status-badge.module.css';
import { continueInAddress } from '../../parts/table-pager.tsx';
import { CopyText } from '../../parts/texts.tsx';

type Request = ReplyOf<typeof listRequests>['data'][number];

const pageSize = 25;
const lookEveryMs = 5_000;

const resultWords = {
  OK: 'Done',
  REFUSED: 'Refused (4xx)',
  BROKEN: 'Failed (5xx)',
} as const satisfies Record<(typeof requestResults)[number], string>;

const read = (search: Search) => ({
  result: readSearch.choice(search, 'result', resultWords),
  requestId: readSearch.text(search, 'requestId'),
  before: readSearch.matching(search, 'before', /^\d{1,18}$/),
});

const columns: readonly Column<Request>[] = [
  { id: 'operation', title: 'Operation', isMain: true, cell: ({ operation }) => operation },
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ status, failure }) => <ResultBadge status={status} failure={failure} />,
  },
  {
    id: 'path',
    title: 'Call',
    cell: ({ method, path }) => (
      <span className="code">
        {method} {path}
      </span>
    ),
  },
  { id: 'ms', title: 'Took', isRight: true, cell: ({ ms }) => `${Math.round(ms)} ms` },
  { id: 'secret', title: 'Secret', cell: ({ secretName }) => secretName },
  { id: 'from', title: 'From', isExtra: true, cell: ({ addressPrefix }) => addressPrefix },
  { id: 'at', title: 'When', at: ({ at }) => at },
  {
    id: 'id',
    title: 'Request id',
    cell: ({ requestId }) => (
      <CopyText text={requestId} what="request id" shown={requestId.slice(0, 8)} />
    ),
  },
];

/** What programs called with an access secret in the last 30 days. */
export const RequestsPage = (): ReactNode => {
  const { filters, change } = useFilters(read);
  const { result, requestId, before } = filters;
  const found = useOperation(
    listRequests,
    { query: { result, requestId, before, limit: pageSize } },
    { refetchEveryMs: lookEveryMs },
  );
  return (
    <>
      <PageTitle title="Requests" says="What your programs called in the last 30 days" />
      <DataTable<Request>
        name="requests"
        caption="Requests, the newest first"
        columns={columns}
        rows={found.data?.data}
        rowKey={({ requestId: id }) => id}
        read={found}
        toolbar={
          <>
            <SearchField
              label="Request id"
              value={requestId ?? ''}
              onSearch={(text) => change({ requestId: text || undefined })}
            />
            <OneChoice
              label="Result"
              words={resultWords}
              chosen={result}
              onChoose={(result) => change({ result })}
            />
          </>
        }
        pager={continueInAddress({ before }, found.data?.nextBefore, change)}
        empty={
          <EmptyState title="No requests here" icon="developers">
            <p>
              Each call of a program with an access secret appears within a second: what it called,
              how it ended and how long it took. Bodies are not stored.
            </p>
          </EmptyState>
        }
      />
    </>
  );
};

type ResultBadgeProps = { readonly status: number; readonly failure: string | null };

/** The status of a reply, with the name of the error. */
const ResultBadge = ({ status, failure }: ResultBadgeProps): ReactNode => (
  <span className={classes.badge} data-tone={toneOf(status)}>
    {status} {failure ?? ''}
  </span>
);

const toneOf = (status: number): string => {
  if (status < 400) return 'good';
  return status < 500 ? 'warn' : 'bad';
};
