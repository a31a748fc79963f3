import type { ReplyOf } from '@florin/contract';
import { listRequests, type requestResults } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable, fileColumns, timeColumn } from '../../parts/data-table.tsx';
import { ExportButton, readOn } from '../../parts/export-button.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { Badge, type Tone } from '../../parts/status-badge.tsx';
import { continueInAddress } from '../../parts/table-pager.tsx';
import { CopyText, RealTimes } from '../../parts/texts.tsx';
import { beforeNumber, oneOf, searchFor, useFilters } from '../../parts/use-filters.tsx';

type Request = ReplyOf<typeof listRequests>['data'][number];

const pageSize = 25;
const lookEveryMs = 5_000;

const resultWords = {
  OK: 'Done',
  REFUSED: 'Refused (4xx)',
  BROKEN: 'Failed (5xx)',
} as const satisfies Record<(typeof requestResults)[number], string>;

const filters = {
  requestId: searchFor('Request id'),
  result: oneOf('Result', resultWords),
  ...beforeNumber,
};

const columns: readonly Column<Request>[] = [
  { id: 'operation', title: 'Operation', isMain: true, cell: ({ operation }) => operation },
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ status, failure }) => (
      <Badge tone={toneOf(status)}>
        {status} {failure ?? ''}
      </Badge>
    ),
    inFile: ({ status, failure }) => `${status} ${failure ?? ''}`.trim(),
  },
  {
    id: 'path',
    title: 'Call',
    cell: ({ method, path }) => (
      <span className="code">
        {method} {path}
      </span>
    ),
    inFile: ({ method, path }) => `${method} ${path}`,
  },
  { id: 'ms', title: 'Duration', ms: ({ ms }) => ms },
  { id: 'secret', title: 'Secret', isSecond: true, cell: ({ secretName }) => secretName },
  { id: 'from', title: 'From', isExtra: true, cell: ({ addressPrefix }) => addressPrefix },
  { ...timeColumn(({ at }) => at), id: 'at', isObvious: true },
  {
    id: 'id',
    title: 'Request id',
    cell: ({ requestId }) => (
      <CopyText text={requestId} what="request id" shown={requestId.slice(0, 8)} />
    ),
    inFile: ({ requestId }) => requestId,
  },
];

/** What programs called with an access secret in the last 30 days. */
export const RequestsPage = (): ReactNode => {
  const { filters: chosen, change, toolbar } = useFilters(filters);
  const { before: _, ...filtered } = chosen;
  const found = useOperation(
    listRequests,
    { query: { ...chosen, limit: pageSize } },
    { refetchEveryMs: lookEveryMs },
  );
  return (
    <>
      <PageTitle
        title="Requests"
        badges={<RealTimes />}
        says="API calls by your programs in the last 30 days"
      >
        <ExportButton
          of={found}
          fileName="requests"
          columns={fileColumns(columns)}
          readPage={readOn(listRequests, filtered)}
        />
      </PageTitle>
      <DataTable<Request>
        name="requests"
        caption="Requests, the newest first"
        columns={columns}
        rowKey={({ requestId: id }) => id}
        read={found}
        toolbar={toolbar}
        pager={continueInAddress(chosen, found.data?.nextBefore, change)}
        empty={
          <EmptyState title="No requests here" icon="developers">
            Every API call appears here within a second: what was called, the result and how long it
            took. Bodies are not stored.
          </EmptyState>
        }
      />
    </>
  );
};

const toneOf = (status: number): Tone => {
  if (status < 400) return 'good';
  return status < 500 ? 'warn' : 'bad';
};
