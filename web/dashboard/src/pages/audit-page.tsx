import type * as contract from '@florin/contract';
import type { ReplyOf } from '@florin/contract';
import type * as dashboard from '@florin/contract/dashboard/index.ts';
import { listAudit, listTeam } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../call/use-operation.ts';
import { type Column, DataTable, environmentColumn, fileColumns } from '../parts/data-table.tsx';
import { ExportButton, readOn } from '../parts/export-button.tsx';
import { OneChoice } from '../parts/filter-fields.tsx';
import { EmptyState, PageTitle } from '../parts/layout.tsx';
import { JsonText, ShowButton } from '../parts/raw-json.tsx';
import { Badge, sentenceCase } from '../parts/status-badge.tsx';
import { continueInAddress } from '../parts/table-pager.tsx';
import {
  beforeNumber,
  type FilterField,
  inAddress,
  onDay,
  oneOf,
  useFilters,
} from '../parts/use-filters.tsx';

type AuditRecord = ReplyOf<typeof listAudit>['data'][number];

const pageSize = 25;

type OperationName = keyof typeof contract | keyof typeof dashboard;

const words: Readonly<Record<string, string>> = {
  signUp: 'Sign-up',
  signIn: 'Sign-in by password',
  signInWithCode: 'Sign-in by code',
  signInWithPasskey: 'Sign-in by passkey',
  signOut: 'Sign-out',
  stepUp: 'Confirmation of who it is',
  verifyEmail: 'Proof of an address',
  setNewPassword: 'New password by mail',
  changePassword: 'Change of password',
  startPasskey: 'Preparation of a passkey',
  addPasskey: 'New passkey',
  removePasskey: 'Removal of a passkey',
  startAuthenticator: 'Preparation of an authenticator app',
  confirmAuthenticator: 'New authenticator app',
  removeAuthenticator: 'Removal of an authenticator app',
  replaceRecoveryCodes: 'New recovery codes',
  revokeSession: 'End of a session',
  revokeOtherSessions: 'End of other sessions',
  inviteMember: 'Invite of a person',
  resendInvite: 'Invite sent again',
  withdrawInvite: 'Withdrawal of an invite',
  acceptInvite: 'Acceptance of an invite',
  acceptInviteAsNew: 'Acceptance of an invite, as a new person',
  changeRole: 'Change of a role',
  removeMember: 'Removal of a member',
  createSecret: 'New secret',
  changeSecret: 'Change of a secret',
  revokeSecret: 'Revocation of a secret',
  rotateSigning: 'New signing secret',
  createWebhookEndpoint: 'New webhook endpoint',
  updateWebhookEndpoint: 'Change of a webhook endpoint',
  deleteWebhookEndpoint: 'Removal of a webhook endpoint',
  requestRefund: 'Refund',
  cancelRefund: 'Cancellation of a refund',
  requestPayment: 'Payment request',
  cancelPaymentRequest: 'Cancellation of a payment request',
  changeSettings: 'Change of the profile',
  changeLimits: 'Change of the payment limit',
} satisfies { readonly [Name in OperationName]?: string };

type Recorded = { readonly operation: string; readonly summary: string };

/** What somebody did, or was refused. What has no words of its own is said as the contract describes it. */
const describeRecord = ({ operation, summary }: Recorded): string =>
  words[operation] ?? summary.replace(/\.$/, '');

const columns: readonly Column<AuditRecord>[] = [
  { id: 'what', title: 'What', isMain: true, cell: describeRecord },
  { id: 'who', title: 'Who', cell: (record) => whoOf(record) },
  { id: 'at', title: 'When', at: ({ startedAt }) => startedAt },
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
    cell: (record) => <RawRecord record={record} />,
    inFile: ({ recordId }) => recordId,
  },
];

const whoOf = ({ actor, actorKind, actorId }: AuditRecord): string => {
  const name = actor ?? actorId?.slice(0, 8) ?? '';
  return actorKind === 'SECRET' ? `Secret ${name}` : name;
};

const Result = ({ outcome }: Pick<AuditRecord, 'outcome'>): ReactNode => {
  if (outcome === null) return <Badge>Not ended</Badge>;
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
      <PageTitle title="Audit" says="Who changed what, and how members signed in">
        <ExportButton
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
          <EmptyState title="Nothing is recorded here" icon="operator">
            Each change by a member, each sign-in, and what programs change of secrets and webhooks
            is recorded before it happens. Each record holds the hash of the one before: none can be
            altered unseen.
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
  lookedFor.map((name) => [name, words[name] ?? name]),
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
    variant="subtle"
    says={`Record ${record.position}`}
    title={`Record ${record.position}`}
  >
    <p className="soft">
      The hash is of this record and of the hash before it, so none can be altered unseen.
    </p>
    <JsonText text={JSON.stringify(record, null, 2)} />
  </ShowButton>
);
