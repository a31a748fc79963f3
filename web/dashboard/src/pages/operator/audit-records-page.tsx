import { listAuditRecords, type ReplyOf } from '@florin/contract';
import { Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { type Column, DataTable, environmentColumn, timeColumn } from '../../parts/data-table.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { sentenceCase } from '../../parts/status-badge.tsx';
import { CopyText, RealTimes } from '../../parts/texts.tsx';
import { inAddress, oneOfFew, searchFor, useFilters } from '../../parts/use-filters.tsx';

type AuditRecord = ReplyOf<typeof listAuditRecords>['data'][number];

const pageSize = 25;
const wholeId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const columnsWith = (only: (actorId: string) => void): readonly Column<AuditRecord>[] => [
  { ...timeColumn(({ startedAt }) => startedAt), id: 'at', isObvious: true },
  { id: 'action', title: 'What', isMain: true, cell: ({ action }) => describeAction(action) },
  {
    id: 'actor',
    title: 'Who',
    isSecond: true,
    cell: ({ actor, actorId }) =>
      actorId ? (
        <Anchor
          component="button"
          type="button"
          fz="inherit"
          aria-label={`Only what ${actor || actorId.slice(0, 8)} did`}
          onClick={() => only(actorId)}
        >
          <span className="whole">{actor || actorId.slice(0, 8)}</span>
        </Anchor>
      ) : (
        actor
      ),
  },
  { id: 'channel', title: 'By', cell: ({ channel }) => channelWords[channel] },
  {
    id: 'outcome',
    title: 'Outcome',
    isMain: true,
    cell: ({ outcome }) => (outcome ? sentenceCase(outcome) : 'Not finished'),
  },
  {
    id: 'merchant',
    title: 'Merchant',
    cell: ({ merchantId, businessName }) =>
      merchantId && (
        <Link to="/operator/merchants/$merchantId" params={{ merchantId }}>
          {businessName ?? merchantId}
        </Link>
      ),
  },
  environmentColumn,
  { id: 'position', title: 'Record', isExtra: true, cell: ({ position }) => position },
  {
    id: 'hash',
    title: 'Hash',
    isExtra: true,
    cell: ({ hash }) => <CopyText text={hash} what="hash" shown={hash.slice(0, 8)} />,
  },
  { id: 'address', title: 'From', isExtra: true, cell: ({ address }) => address },
  {
    id: 'detail',
    title: 'Detail',
    isExtra: true,
    cell: ({ detail }) => <span className="code">{JSON.stringify(detail)}</span>,
  },
];

/** "setMerchantSwitches" and "merchant:set-switches" in words. */
const describeAction = (action: string): string => {
  const words = action.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[^a-zA-Z0-9]+/g, ' ');
  return sentenceCase(words);
};

const filters = {
  merchant: searchFor('Merchant or its id'),
  only: oneOfFew('Which records', { CHANGES: 'Changes', ALL: 'Everything' }, 'CHANGES'),
  actorId: inAddress.matching(wholeId),
};

const channelWords = { API: 'API', COMMAND: 'Command', DASHBOARD: 'Dashboard' } as const;

/** What operators, members and programs changed. To look here is recorded too. */
export const AuditRecordsPage = (): ReactNode => {
  const { filters: chosen, change, toolbar, page, onPage } = useFilters(filters);
  const { merchant, actorId, only = 'CHANGES' } = chosen;
  const found = useOperation(listAuditRecords, {
    query: {
      page: page - 1,
      size: pageSize,
      ...{ merchant, actorId },
      ...(only === 'CHANGES' && { only }),
    },
  });
  const actor = found.data?.data.find((each) => each.actorId === actorId)?.actor;
  return (
    <>
      <PageTitle
        title="Audit"
        badges={<RealTimes />}
        says={
          only === 'CHANGES'
            ? 'What operators, members and programs changed, by API, by command and here'
            : 'What operators, members and programs changed and looked at'
        }
      />
      <DataTable<AuditRecord>
        name="audit-records"
        caption="What operators, members and programs changed, the newest first"
        columns={columnsWith((id) => change({ actorId: id }))}
        rowKey={({ recordId }) => recordId}
        read={found}
        toolbar={
          <>
            {toolbar}
            {actorId && (
              <Button
                variant="light"
                rightSection={<Icon name="close" size={14} />}
                onClick={() => change({ actorId: undefined })}
              >
                Only {actor || actorId.slice(0, 8)}: show everybody again
              </Button>
            )}
          </>
        }
        pager={{
          hasMore: found.data?.data.length === pageSize,
          hasBefore: page > 1,
          onMore: () => onPage(page + 1),
          onBefore: () => onPage(page - 1),
        }}
        empty={
          <EmptyState title="No records here" icon="operator">
            Every call and command by an operator and every change by a member is recorded with its
            outcome.
          </EmptyState>
        }
      />
    </>
  );
};
