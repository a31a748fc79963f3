import { limits, type ReplyOf, requestPayment } from '@florin/contract';
import { linkStatuses, listPaymentLinks } from '@florin/contract/dashboard/index.ts';
import { Button, Checkbox, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useClipboard, useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAct, useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import {
  actsColumn,
  amountColumn,
  type Column,
  DataTable,
  fileColumns,
  statusColumn,
  timeColumn,
} from '../../parts/data-table.tsx';
import { type CsvColumn, ExportButton, readOn } from '../../parts/export-button.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { focusAtFirst, ticking, typing } from '../../parts/fields.ts';
import { EmptyState, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { parsePounds, writePounds } from '../../parts/numbers.ts';
import { ListTotals, sortedBy } from '../../parts/sort-and-totals.tsx';
import { wordsOf } from '../../parts/status-badge.tsx';
import { StoreField } from '../../parts/store-field.tsx';
import { inStore, useStoreColumn } from '../../parts/store-filter.tsx';
import { continueInAddress } from '../../parts/table-pager.tsx';
import { inAddress, inPeriod, oneOf, searchFor, useFilters } from '../../parts/use-filters.tsx';
import { emptyForm, type LinkForm, lives, methods, requestOf } from './link-form.ts';

type Link = ReplyOf<typeof listPaymentLinks>['data'][number];

const pageSize = 10;
const lookEveryMs = 5_000;

const over: readonly string[] = ['COMPLETED', 'CANCELLED', 'EXPIRED'];

const columns: readonly Column<Link>[] = [
  amountColumn(({ amount }) => amount),
  statusColumn,
  { id: 'paid', title: 'Paid', pounds: ({ paidAmount }) => paidAmount || null },
  { id: 'order', title: 'Order', isSecond: true, cell: ({ orderId }) => orderId },
  { id: 'notes', title: 'Notes', isObvious: true, cell: ({ notes }) => notes },
  { id: 'by', title: 'Created by', cell: ({ madeBy }) => madeBy },
  { ...timeColumn(({ createdAt }) => createdAt), id: 'made', title: 'Created', isObvious: true },
  { id: 'until', title: 'Payable until', isExtra: true, at: ({ expiresAt }) => expiresAt },
  {
    ...actsColumn,
    // What is paid or over is not handed on any more.
    cell: ({ status, shortUrl }) => !over.includes(status) && <CopyLink url={shortUrl} />,
    inFile: ({ shortUrl }) => shortUrl,
  },
];

const CopyLink = ({ url }: { readonly url: string }): ReactNode => {
  const clipboard = useClipboard({ timeout: 1_500 });
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Icon name={clipboard.copied ? 'check' : 'copy'} size={14} />}
      aria-label={`${clipboard.copied ? 'Copied' : 'Copy link'} ${url}`}
      onClick={() => clipboard.copy(url)}
    >
      {clipboard.copied ? 'Copied' : 'Copy link'}
    </Button>
  );
};

const idColumns: readonly CsvColumn<Link>[] = [
  { title: 'Payment id', value: ({ paymentRequestId }) => paymentRequestId },
];

/** A link asks one customer for one amount. Its page holds the QR code and what became of it. */
export const LinksPage = (): ReactNode => {
  const address = useAddress();
  const navigate = useNavigate();
  const mayWrite = useMay('payments.create');
  const asked = useFilters(begun).filters;
  const [isOpen, { open, close }] = useDisclosure(Object.values(asked).some(Boolean));
  return (
    <>
      <PageTitle title="Payment links" says="Request a payment by link, by QR code or on paper">
        {mayWrite && !isOpen && (
          <Button leftSection={<Icon name="plus" size={14} />} onClick={open}>
            New link
          </Button>
        )}
        <LinksExport />
      </PageTitle>
      {mayWrite && isOpen && (
        <SectionCard
          title="New link"
          acts={
            <Button variant="default" onClick={close}>
              Close
            </Button>
          }
        >
          <CreateLink onMade={(id) => void navigate({ to: address(`links/${id}`) })} />
        </SectionCard>
      )}
      <MadeLinks onNew={mayWrite && !isOpen ? open : null} />
    </>
  );
};

const filters = {
  search: searchFor('Order, customer or amount'),
  status: oneOf('Status', wordsOf(linkStatuses)),
  ...inPeriod,
  ...inStore,
  ...sortedBy,
  before: inAddress.text,
};

const LinksExport = (): ReactNode => {
  const storeColumn = useStoreColumn(storeOf);
  const { filters: chosen } = useFilters(filters);
  const { before: _, ...filtered } = chosen;
  // The same call as that of the list: it is made once.
  const found = useOperation(listPaymentLinks, { query: { ...chosen, limit: pageSize } });
  return (
    <ExportButton
      of={found}
      fileName="payment-links"
      columns={[...fileColumns([...columns, storeColumn]), ...idColumns]}
      readPage={readOn(listPaymentLinks, filtered)}
    />
  );
};

const storeOf = ({ storeName }: Link): string => storeName;

const MadeLinks = ({ onNew }: { readonly onNew: (() => void) | null }): ReactNode => {
  const address = useAddress();
  const storeColumn = useStoreColumn(storeOf);
  const { filters: chosen, change, toolbar, isFiltered } = useFilters(filters);
  const { before: _, ...filtered } = chosen;
  const found = useOperation(
    listPaymentLinks,
    { query: { ...chosen, limit: pageSize } },
    { refetchEveryMs: lookEveryMs },
  );
  const added = useOperation(listPaymentLinks, {
    query: { ...filtered, limit: 1, totals: true },
  });
  return (
    <DataTable<Link>
      name="links"
      caption="Payment links of the business"
      toolbar={toolbar}
      totals={<ListTotals of={added.data?.totals} one="link" />}
      columns={[...columns, storeColumn]}
      read={found}
      order={{ chosen: chosen.orderBy, choose: (orderBy) => change({ orderBy }) }}
      rowKey={({ paymentRequestId }) => paymentRequestId}
      rowLink={({ paymentRequestId }) => address(`links/${paymentRequestId}`)}
      pager={continueInAddress(chosen, found.data?.nextBefore, change)}
      empty={
        <EmptyState
          title={isFiltered ? 'No matching links' : 'No links yet'}
          icon="links"
          act={
            onNew &&
            !isFiltered && (
              <Button variant="default" onClick={onNew}>
                Create your first link
              </Button>
            )
          }
        >
          Create one with an amount and an order. It opens a payment page: email it, message it,
          show its QR code or print it. What your program requests by API is under Payments.
        </EmptyState>
      }
    />
  );
};

/** Asked for again: what a payment that failed was for. */
const begun = {
  amount: inAddress.pounds,
  order: inAddress.text,
  customer: inAddress.text,
};

type CreateLinkProps = { readonly onMade: (paymentRequestId: string) => void };

const CreateLink = ({ onMade }: CreateLinkProps): ReactNode => {
  const asked = useFilters(begun).filters;
  const [form, setForm] = useState<LinkForm>({
    ...emptyForm,
    ...(asked.amount !== undefined && { amount: asked.amount.toFixed(2) }),
    ...(asked.order && { orderId: asked.order }),
    ...(asked.customer && { customerId: asked.customer }),
  });
  const create = useAct(requestPayment, { changes: [listPaymentLinks] });
  const body = requestOf(form);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!body || create.isPending) return;
    // What is refused is shown below the fields.
    const made = await create.mutateAsync({ body }).catch(() => null);
    if (!made) return;
    setForm(emptyForm);
    onMade(made.paymentRequestId);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <LinkFields form={form} onChange={(changes) => setForm({ ...form, ...changes })} />
      {create.error && <FailureNotice failure={create.error} />}
      <Group mt="md">
        <Button type="submit" disabled={!body} loading={create.isPending}>
          {body ? `Create a link for ${writePounds(Number(body.amount))}` : 'Create a link'}
        </Button>
      </Group>
    </form>
  );
};

type LinkFieldsProps = {
  readonly form: LinkForm;
  readonly onChange: (changes: Partial<LinkForm>) => void;
};

const LinkFields = ({ form, onChange }: LinkFieldsProps): ReactNode => {
  const isWrong = form.amount !== '' && !parsePounds(form.amount);
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} mb="md">
        <TextInput
          ref={focusAtFirst}
          label="Amount in pounds"
          leftSection="£"
          required
          inputMode="decimal"
          placeholder="12.50"
          {...typing(form.amount, (amount) => onChange({ amount }))}
          error={isWrong && 'Enter an amount such as 12.50.'}
        />
        <TextInput
          label="Order"
          required
          maxLength={limits.referenceLength}
          placeholder="INV-1042"
          {...typing(form.orderId, (orderId) => onChange({ orderId }))}
        />
        <TextInput
          label="Your customer id (optional)"
          description="Left empty, the order is used."
          maxLength={limits.referenceLength}
          {...typing(form.customerId, (customerId) => onChange({ customerId }))}
        />
        <TextInput
          label="Notes (optional)"
          description="Shown to the customer."
          maxLength={limits.notesLength}
          {...typing(form.notes, (notes) => onChange({ notes }))}
        />
        <NativeSelect
          label="Valid for"
          data={lives.map(({ value, label }) => ({ value, label }))}
          {...typing(form.life, (life) => onChange({ life }))}
        />
        <NativeSelect
          label="Paid by"
          data={methods.map((each) => ({ ...each }))}
          {...typing(form.method, (method) => onChange({ method }))}
        />
        <StoreField storeId={form.storeId} onChange={(storeId) => onChange({ storeId })} />
      </SimpleGrid>
      <Group gap="lg">
        <Checkbox
          label="Offer tips, as set for the business"
          {...ticking(form.tips, (tips) => onChange({ tips }))}
        />
        <Checkbox
          label="Let several people split the bill"
          {...ticking(form.split, (split) => onChange({ split }))}
        />
      </Group>
    </>
  );
};
