import type { ReplyOf } from '@florin/contract';
import { listAudit, listTeam } from '@florin/contract/dashboard/index.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { DateText } from '../../parts/date-text.tsx';
import { sentenceCase } from '../../parts/describe-status.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ChoiceMenu } from '../../parts/filters/choice-menu.tsx';
import { DayField } from '../../parts/filters/day-field.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import badge from '../../parts/status-badge.module.css';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import type { AuditFilters } from './audit-filters.ts';
import { describedOperations, describeRecord } from './describe-record.ts';
import { RawRecord } from './raw-record.tsx';

type AuditRecord = ReplyOf<typeof listAudit>['data'][number];

const pageSize = 25;

const columns: readonly Column<AuditRecord>[] = [
  { id: 'what', title: 'What', isMain: true, cell: describeRecord },
  { id: 'who', title: 'Who', cell: (record) => whoOf(record) },
  { id: 'at', title: 'When', cell: ({ startedAt }) => <DateText at={startedAt} /> },
  { id: 'result', title: 'Result', isMain: true, cell: (record) => <Result {...record} /> },
  { id: 'from', title: 'From', cell: ({ addressPrefix }) => addressPrefix },
  {
    id: 'environment',
    title: 'Environment',
    isExtra: true,
    cell: ({ environment }) => environment && sentenceCase(environment),
  },
  { id: 'record', title: 'Record', cell: (record) => <RawRecord record={record} /> },
];

const whoOf = ({ actor, actorKind, actorId }: AuditRecord): string => {
  const name = actor ?? actorId?.slice(0, 8) ?? '';
  return actorKind === 'SECRET' ? `Secret ${name}` : name;
};

const Result = ({ outcome }: Pick<AuditRecord, 'outcome'>): ReactNode => {
  if (outcome === null) return <span className={badge.badge}>Not ended</span>;
  const isDone = outcome === 'DONE';
  return (
    <span className={badge.badge} data-tone={isDone ? 'good' : 'warn'}>
      {isDone ? 'Done' : sentenceCase(outcome)}
    </span>
  );
};

/** Who changed what, in a chain of records that cannot be altered unseen. */
export const AuditPage = (): ReactNode => {
  const navigate = useNavigate();
  const filters = useSearch({ from: '/$merchantId/$environment/settings/audit' });
  const { who, what, day, before } = filters;
  const query = { actorId: who, operation: what, day, before, limit: pageSize };
  const found = useOperation(listAudit, { query });
  const team = useOperation(listTeam);
  const change = (changes: AuditFilters): void =>
    void navigate({
      to: '.',
      search: (current) => ({ ...current, before: undefined, ...changes }),
    });
  const nextBefore = found.data?.nextBefore ?? null;
  const people = (team.data?.members ?? []).map(({ personId, name }) => ({
    ...{ value: personId, label: name },
  }));
  return (
    <>
      <PageTitle title="Audit" says="Who changed what, and how members signed in" />
      <DataTable<AuditRecord>
        name="audit"
        caption="What members and programs changed, the newest first"
        columns={columns}
        rows={found.data?.data}
        rowKey={({ recordId }) => recordId}
        isLoading={found.isPending}
        failure={found.error}
        onRetry={() => void found.refetch()}
        toolbar={
          <>
            <ChoiceMenu
              label="Who"
              choices={people}
              chosen={who ? [who] : []}
              onChoose={(chosen) => change({ who: chosen.at(-1) })}
            />
            <ChoiceMenu
              label="What"
              choices={describedOperations}
              chosen={what ? [what] : []}
              onChoose={(chosen) => change({ what: chosen.at(-1) })}
            />
            <DayField label="Day" value={day} onDay={(chosen) => change({ day: chosen })} />
          </>
        }
        pager={{
          hasMore: nextBefore !== null,
          hasBefore: before !== undefined,
          onMore: () => change({ before: nextBefore ?? undefined }),
          onBefore: () => history.back(),
        }}
        empty={
          <EmptyState title="Nothing is recorded here" icon="operator">
            <p>
              Each change by a member, each sign-in, and what programs change of secrets and
              webhooks is recorded before it happens. Each record holds the hash of the one before:
              none can be altered unseen.
            </p>
          </EmptyState>
        }
      />
    </>
  );
};
