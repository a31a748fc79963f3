import {
  type BodyOf,
  createMerchant,
  limits,
  listMerchants,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import { Fieldset, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAct, useOperation } from '../../../call/use-operation.ts';
import { Icon } from '../../../design/icon.tsx';
import {
  type BankAccount,
  BankAccountFields,
  isBankAccount,
  noBankAccount,
} from '../../../parts/bank-account-fields.tsx';
import { ActButton } from '../../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { typing } from '../../../parts/fields.ts';
import { EmptyState, PageTitle } from '../../../parts/layout.tsx';
import { ShownOnceDialog } from '../../../parts/shown-once.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { DateText } from '../../../parts/texts.tsx';
import { oneOfFew, useFilters } from '../../../parts/use-filters.tsx';
import classes from './merchants-page.module.css';

type Merchant = ReplyOf<typeof listMerchants>['data'][number];

const pageSize = 25;

const columns: readonly Column<Merchant>[] = [
  { id: 'name', title: 'Business', isMain: true, cell: ({ businessName }) => businessName },
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ suspensions }) => <MerchantStatus suspensions={suspensions} />,
  },
  {
    id: 'why',
    title: 'Why suspended',
    cell: ({ suspensions }) => <SuspendedText suspensions={suspensions} />,
  },
  { id: 'created', title: 'Since', at: ({ createdAt }) => createdAt },
  { id: 'id', title: 'Merchant id', isObvious: true, copied: ({ merchantId }) => merchantId },
];

/** Of production without a word; the sandbox is named. */
const MerchantStatus = ({ suspensions }: Pick<Merchant, 'suspensions'>): ReactNode => {
  if (suspensions.length === 0) return <StatusBadge status="ACTIVE" />;
  return (
    <span className={classes.badges}>
      {suspensions.map(({ environment }) => (
        <StatusBadge
          key={environment}
          status="SUSPENDED"
          words={environment === 'PRODUCTION' ? 'Suspended' : 'Suspended in the sandbox'}
        />
      ))}
    </span>
  );
};

/** The reason, and below it who suspended when. */
const SuspendedText = ({ suspensions }: Pick<Merchant, 'suspensions'>): ReactNode => {
  if (suspensions.length === 0) return <span className="soft">–</span>;
  return suspensions.map(({ environment, suspendedAt, suspendedBy, reason }) => (
    <span key={environment} className={classes.why}>
      {reason}
      <span className="soft">
        {suspendedBy}, <DateText isShort at={suspendedAt} />
      </span>
    </span>
  ));
};

const empty = {
  ALL: 'No merchants yet',
  ACTIVE: 'No merchant is active',
  SUSPENDED: 'No merchant is suspended',
} as const;

const shown = { ALL: 'All', ACTIVE: 'Active', SUSPENDED: 'Suspended' } as const satisfies Record<
  'ALL' | NonNullable<QueryOf<typeof listMerchants>['status']>,
  string
>;

export const MerchantsPage = (): ReactNode => {
  const { filters, toolbar, page, onPage } = useFilters({
    status: oneOfFew('Which merchants', shown, 'ALL'),
  });
  const { status = 'ALL' } = filters;
  const found = useOperation(listMerchants, {
    query: { page: page - 1, size: pageSize, ...(status !== 'ALL' && { status }) },
  });
  return (
    <>
      <PageTitle title="Merchants" says="Every business of this installation">
        <CreateMerchant />
      </PageTitle>
      <DataTable<Merchant>
        name="merchants"
        caption="Merchants, the newest first"
        columns={columns}
        rowKey={({ merchantId }) => merchantId}
        rowLink={({ merchantId }) => `/operator/merchants/${merchantId}`}
        read={found}
        toolbar={toolbar}
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
        empty={
          <EmptyState title={empty[status]} icon="customers">
            A merchant is a business that takes payments. A new one has a primary store and an
            access secret in the sandbox and in production.
          </EmptyState>
        }
      />
    </>
  );
};

/** A new merchant; its secrets are shown once, in the dialog that follows. */
const CreateMerchant = (): ReactNode => {
  const [businessName, setBusinessName] = useState('');
  const [ownerEmail, setOwnerEmail] = useState('');
  const [sandbox, setSandbox] = useState<BankAccount>(noBankAccount);
  const [production, setProduction] = useState<BankAccount>(noBankAccount);
  const [created, setCreated] = useState<ReplyOf<typeof createMerchant> | null>(null);
  const create = useAct(createMerchant, { changes: [listMerchants] });
  const name = businessName.trim();
  const send = async (): Promise<void> => {
    const body: BodyOf<typeof createMerchant> = {
      businessName: name,
      bankAccounts: { SANDBOX: sandbox, PRODUCTION: production },
      ...(ownerEmail.trim() && { ownerEmail: ownerEmail.trim() }),
    };
    setCreated(await create.mutateAsync({ body }));
  };
  return (
    <>
      <ActButton
        says="New merchant"
        variant="filled"
        leftSection={<Icon name="plus" size={16} />}
        title="New merchant"
        act={name ? `Create ${name}` : 'Create'}
        isReady={name !== '' && isBankAccount(sandbox) && isBankAccount(production)}
        onConfirm={send}
      >
        <Stack>
          <TextInput
            label="Business name"
            description="Payers see it on the payment page and on their statement"
            required
            maxLength={limits.businessNameLength}
            {...typing(businessName, setBusinessName)}
          />
          <TextInput
            type="email"
            label="Email of the owner (optional)"
            description="For emails about this merchant"
            {...typing(ownerEmail, setOwnerEmail)}
          />
          <Fieldset legend="Bank account in the sandbox">
            <BankAccountFields account={sandbox} onChange={setSandbox} />
          </Fieldset>
          <Fieldset legend="Bank account in production">
            <BankAccountFields account={production} onChange={setProduction} />
          </Fieldset>
        </Stack>
      </ActButton>
      <CreatedMerchant name={name} created={created} onClose={() => setCreated(null)} />
    </>
  );
};

type CreatedMerchantProps = {
  readonly name: string;
  readonly created: ReplyOf<typeof createMerchant> | null;
  readonly onClose: () => void;
};

export const CreatedMerchant = ({ name, created, onClose }: CreatedMerchantProps): ReactNode => {
  const navigate = useNavigate();
  const open = (): void => {
    onClose();
    void navigate({ to: `/operator/merchants/${created?.merchantId}` });
  };
  return (
    <ShownOnceDialog
      isOpen={created !== null}
      title={`${name} created`}
      says="These secrets are shown once. Send them to the merchant’s developer through a secure channel."
      secrets={{
        'Sandbox secret': created?.secrets.SANDBOX.secret ?? '',
        'Production secret': created?.secrets.PRODUCTION.secret ?? '',
      }}
      saved="I have saved them"
      onSaved={open}
    />
  );
};
