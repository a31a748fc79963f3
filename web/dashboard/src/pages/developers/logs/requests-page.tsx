import type { ReplyOf } from '@florin/contract';
import { listRequests } from '@florin/contract/dashboard/index.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperation } from '../../../call/use-operation.ts';
import { CopyText } from '../../../parts/copy-text.tsx';
import { DateText } from '../../../parts/date-text.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { ChoiceMenu } from '../../../parts/filters/choice-menu.tsx';
import { SearchField } from '../../../parts/filters/search-field.tsx';
import { PageTitle } from '../../../parts/page-title.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { type LogFilters, requestResults } from './log-filters.ts';
import { ResultBadge } from './result-badge.tsx';

type Request = ReplyOf<typeof listRequests>['data'][number];

const pageSize = 25;
const lookEveryMs = 5_000;

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
  { id: 'at', title: 'When', cell: ({ at }) => <DateText at={at} /> },
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
  const navigate = useNavigate();
  const filters = useSearch({ from: '/$merchantId/$environment/developers/requests' });
  const { result, requestId, before } = filters;
  const found = useOperation(
    listRequests,
    { query: { result, requestId, before, limit: pageSize } },
    { refetchEveryMs: lookEveryMs },
  );
  const change = (changes: LogFilters): void =>
    void navigate({
      to: '.',
      search: (current) => ({ ...current, before: undefined, ...changes }),
    });
  const nextBefore = found.data?.nextBefore ?? null;
  return (
    <>
      <PageTitle title="Requests" says="What your programs called in the last 30 days" />
      <DataTable<Request>
        name="requests"
        caption="Requests, the newest first"
        columns={columns}
        rows={found.data?.data}
        rowKey={({ requestId: id }) => id}
        isLoading={found.isPending}
        failure={found.error}
        onRetry={() => void found.refetch()}
        toolbar={
          <>
            <SearchField
              label="Request id"
              value={requestId ?? ''}
              onSearch={(text) => change({ requestId: text || undefined })}
            />
            <ChoiceMenu
              label="Result"
              choices={resultChoices}
              chosen={result ? [result] : []}
              onChoose={(chosen) => change({ result: chosen.at(-1) })}
            />
          </>
        }
        pager={{
          hasMore: nextBefore !== null,
          hasBefore: before !== undefined,
          onMore: () => change({ before: nextBefore ?? undefined }),
          onBefore: () => history.back(),
        }}
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

const resultWords = { OK: 'Done', REFUSED: 'Refused (4xx)', BROKEN: 'Failed (5xx)' } as const;
const resultChoices = requestResults.map((value) => ({ value, label: resultWords[value] }));
