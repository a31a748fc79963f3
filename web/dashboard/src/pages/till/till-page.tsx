import { limits, listStores } from '@florin/contract';
import { listTillSales, startTillSale } from '@florin/contract/dashboard/index.ts';
import { Button, NativeSelect, Radio, SimpleGrid, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { addressOfPage, type Tenant } from '../../call/tenant.ts';
import { useAct, useOperation, useTenant } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { parsePounds } from '../../parts/parse-pounds.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { writePoundsFromPence } from '../../parts/write-pounds.ts';
import { type TipChoice, tipOf } from './enter-amount.ts';
import { Keypad } from './keypad.tsx';
import { LastSales } from './last-sales.tsx';
import classes from './till.module.css';
import { useTill } from './use-till.ts';

export const TillPage = (): ReactNode => {
  const tenant = useTenant();
  return tenant && <Till key={`${tenant.merchantId} ${tenant.environment}`} tenant={tenant} />;
};

/** A cashier enters the amount; the next page shows the code that the payer scans. */
const Till = ({ tenant }: { readonly tenant: Tenant }): ReactNode => {
  const till = useTill(tenant);
  return (
    <>
      <PageTitle title="Till" says="Take a payment at the counter: the payer scans a code" />
      <SectionCard title="New sale">
        <NewSale tenant={tenant} />
      </SectionCard>
      <SectionCard title={`Last sales of ${till.tillName}`}>
        <LastSales tenant={tenant} tillName={till.tillName} storeId={till.storeId} />
      </SectionCard>
    </>
  );
};

const NewSale = ({ tenant }: { readonly tenant: Tenant }): ReactNode => {
  const navigate = useNavigate();
  const till = useTill(tenant);
  const [pence, setPence] = useState(0);
  const [tip, setTip] = useState<TipChoice>('payer');
  const [typedTip, setTypedTip] = useState('');
  const [notes, setNotes] = useState('');
  const start = useAct(startTillSale, { changes: [listTillSales] });
  const tipPence = tipOf(tip, pence, parsePounds(typedTip));
  const total = pence + (tipPence ?? 0);
  const isReady =
    pence >= limits.paymentAmountPenceMin && tipPence !== null && till.tillName.trim() !== '';
  const show = async (): Promise<void> => {
    if (!isReady || start.isPending) return;
    const body = {
      amount: pence / 100,
      tillName: till.tillName.trim(),
      ...(tipPence !== undefined && { tipAmount: tipPence / 100 }),
      ...(till.storeId && { storeId: till.storeId }),
      ...(notes.trim() && { notes: notes.trim() }),
    };
    // What is refused is shown below the fields.
    const sale = await start.mutateAsync({ body }).catch(() => null);
    if (sale) await navigate({ to: addressOfPage(tenant, `till/${sale.paymentRequestId}`) });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void show();
  };
  return (
    <form className={classes.till} onSubmit={submit}>
      <Keypad pence={pence} onChange={setPence} onEnter={() => void show()} />
      <div className={classes.beside}>
        <TipFields choice={tip} typed={typedTip} onChoose={setTip} onType={setTypedTip} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <StoreField storeId={till.storeId} onChange={(storeId) => till.change({ storeId })} />
          <TextInput
            label="This till"
            maxLength={limits.tillNameLength}
            value={till.tillName}
            onChange={({ currentTarget }) => till.change({ tillName: currentTarget.value })}
          />
          <TextInput
            label="Note"
            placeholder="The payer sees it"
            maxLength={limits.notesLength}
            value={notes}
            onChange={({ currentTarget }) => setNotes(currentTarget.value)}
          />
        </SimpleGrid>
        {start.error && <FailureNotice failure={start.error} />}
        <Button type="submit" size="xl" fullWidth disabled={!isReady} loading={start.isPending}>
          {isReady ? `Show code for ${writePoundsFromPence(total)}` : 'Show code'}
        </Button>
      </div>
    </form>
  );
};

type TipFieldsProps = {
  readonly choice: TipChoice;
  readonly typed: string;
  readonly onChoose: (choice: TipChoice) => void;
  readonly onType: (typed: string) => void;
};

const tips: readonly (readonly [TipChoice, string])[] = [
  ['payer', 'The payer chooses'],
  ['none', 'None'],
  ['10', '10%'],
  ['15', '15%'],
  ['other', 'Another amount'],
];

const isTip = (text: string): text is TipChoice => tips.some(([value]) => value === text);

const TipFields = ({ choice, typed, onChoose, onType }: TipFieldsProps): ReactNode => (
  <>
    <Radio.Group label="Tip" value={choice} onChange={(value) => isTip(value) && onChoose(value)}>
      <div className={classes.tips}>
        {tips.map(([value, label]) => (
          <Radio key={value} value={value} label={label} />
        ))}
      </div>
    </Radio.Group>
    {choice === 'other' && (
      <TextInput
        label="Tip in pounds"
        inputMode="decimal"
        placeholder="2.50"
        value={typed}
        error={typed !== '' && parsePounds(typed) === null && 'Write an amount such as 2.50.'}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
      />
    )}
  </>
);

type StoreFieldProps = {
  readonly storeId: string;
  readonly onChange: (storeId: string) => void;
};

/** Only where there is a choice. */
const StoreField = ({ storeId, onChange }: StoreFieldProps): ReactNode => {
  const { data } = useOperation(listStores, { query: { page: 0, size: limits.pageSizeMax } });
  const stores = data?.data.filter(({ enabled }) => enabled) ?? [];
  if (stores.length < 2) return null;
  const choices = stores.map(({ id, locationName }) => ({ value: id, label: locationName }));
  return (
    <NativeSelect
      label="Store"
      data={[{ value: '', label: 'The primary store' }, ...choices]}
      value={storeId}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
};
