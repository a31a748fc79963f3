import { listAudit, listTeam } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../call/use-operation.ts';
import {
  type Column,
  DataTable,
  environmentColumn,
  fileColumns,
  timeColumn,
} from '../parts/data-table.tsx';
import { ExportButton, readOn } from '../parts/export-button.tsx';
import { OneChoice } from '../parts/filter-fields.tsx';
import { EmptyState, PageTitle } from '../parts/layout.tsx';
import { JsonText, ShowButton } from '../parts/raw-json.tsx';
import { Badge, sentenceCase } from '../parts/status-badge.tsx';
import { continueInAddress } from '../parts/table-pager.tsx';
import { RealTimes } from '../parts/texts.tsx';
import {
  beforeNumber,
  type FilterField,
  inAddress,
  onDay,
  oneOf,
  useFilters,
} from '../parts/use-filters.tsx';
import { type AuditRecord, auditWords, describeRecord, type OperationName } from './audit-words.ts';

const pageSize = 25;

const columns: readonly Column<AuditRecord>[] = [
  { id: 'what', title: 'What', isMain: true, isLong: true, cell: describeRecord },
  { id: 'who', title: 'Who', isSecond: true, cell: (record) => whoOf(record) },
  { ...timeColumn(({ startedAt }) => startedAt), id: 'at', isObvious: true },
  {
    id: 'result',
    title: 'Result',
    isMain: true,
    cell: (record) => <Result {...record} />,
    inFile: ({ outcome }) => outcome && sentenceCase(outcome),
  },
  { id: 'from', title: 'From', cell: ({ addressPrefix }) => addressPrefix },
  { ...environmentColumn, isExtra: true },
  {
    id: 'record',
    title: 'Record',
    isObvious: true,
    cell: (record) => <RawRecord record={record} />,
    inFile: ({ recordId }) => recordId,
  },
];

const whoOf = ({ actor, actorKind, actorId }: AuditRecord): string => {
  const name = actor ?? actorId?.slice(0, 8) ?? '';
  return actorKind === 'SECRET' ? `Your program (secret ${name})` : name;
};

const Result = ({ outcome }: Pick<AuditRecord, 'outcome'>): ReactNode => {
  if (outcome === null) return <Badge>Not finished</Badge>;
  const isDone = outcome === 'DONE';
  return <Badge tone={isDone ? 'good' : 'warn'}>{isDone ? 'Done' : sentenceCase(outcome)}</Badge>;
};

/** Who changed what, in a chain of records that cannot be altered unseen. */
export const AuditPage = (): ReactNode => {
  const { filters, change, toolbar } = useFilters(shown);
  const { who, what, day, before } = filters;
  const query = { actorId: who, operation: what, day };
  const found = useOperation(listAudit, { query: { ...query, before, limit: pageSize } });
  return (
    <>
      <PageTitle
        title="Audit"
        badges={<RealTimes />}
        says="Who changed what, and how members signed in"
      >
        <ExportButton
          of={found}
          fileName="audit"
          columns={fileColumns(columns)}
          readPage={readOn(listAudit, query)}
        />
      </PageTitle>
      <DataTable<AuditRecord>
        name="audit"
        caption="What members and programs changed, the newest first"
        columns={columns}
        rowKey={({ recordId }) => recordId}
        read={found}
        toolbar={toolbar}
        pager={continueInAddress(filters, found.data?.nextBefore, change)}
        empty={
          <EmptyState title="No records here" icon="operator">
            Every change by a member, every sign-in and every change that a program makes to secrets
            and webhooks is recorded before it happens. Each record holds the hash of the one
            before, so none can be altered unnoticed.
          </EmptyState>
        }
      />
    </>
  );
};

const lookedFor = [
  ...(['signIn', 'stepUp', 'inviteMember', 'changeRole', 'removeMember', 'createSecret'] as const),
  ...(['revokeSecret', 'createWebhookEndpoint', 'deleteWebhookEndpoint'] as const),
  ...(['requestRefund', 'requestPayment', 'changeSettings', 'changeLimits'] as const),
] satisfies readonly OperationName[];

/** What is looked for most. */
const lookedForWords: Readonly<Record<string, string>> = Object.fromEntries(
  lookedFor.map((name) => [name, auditWords[name] ?? name]),
);

const MemberField = ({ chosen, choose }: FilterField<string>): ReactNode => {
  const members = useOperation(listTeam).data?.members ?? [];
  const names = Object.fromEntries(members.map(({ personId, name }) => [personId, name]));
  return <OneChoice label="Who" words={names} chosen={chosen} onChoose={choose} />;
};

const shown = {
  who: {
    ...inAddress.matching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/),
    field: (field: FilterField<string>) => <MemberField {...field} />,
  },
  what: {
    ...oneOf('What', lookedForWords),
    ...inAddress.matching(/^[a-zA-Z]{1,60}$/),
  },
  day: onDay('Day'),
  ...beforeNumber,
};

type RawRecordProps = { readonly record: { readonly position: string; readonly hash: string } };

/** The record as it is stored, with its hash in the chain. */
const RawRecord = ({ record }: RawRecordProps): ReactNode => (
  <ShowButton
    isLink
    says="View"
    label={`View record ${record.position}`}
    title={`Record ${record.position}`}
  >
    <p className="soft">
      The hash covers this record and the hash before it, so none can be altered unnoticed.
    </p>
    <JsonText text={JSON.stringify(record, null, 2)} />
  </ShowButton>
);
