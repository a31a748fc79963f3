import { listInstitutions } from '@florin/contract';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { describeStatus } from '../../parts/describe-status.ts';
import { AmountField } from '../../parts/filters/amount-field.tsx';
import { ChoiceMenu } from '../../parts/filters/choice-menu.tsx';
import { DayField } from '../../parts/filters/day-field.tsx';
import { SearchField } from '../../parts/filters/search-field.tsx';
import {
  hasPaymentFilters,
  type PaymentFilters,
  paymentMethods,
  paymentStatuses,
} from './payment-filters.ts';

type PaymentFilterBarProps = {
  readonly filters: PaymentFilters;
  readonly onChange: (changes: PaymentFilters) => void;
};

const statusChoices = paymentStatuses.map((value) => ({
  value,
  label: describeStatus(value).words,
}));

const methodWords = { PAY_BY_BANK: 'Bank', CARD: 'Card' } as const;
const methodChoices = paymentMethods.map((value) => ({ value, label: methodWords[value] }));

const none: PaymentFilters = {
  search: undefined,
  status: undefined,
  method: undefined,
  bank: undefined,
  min: undefined,
  max: undefined,
  from: undefined,
  to: undefined,
};

export const PaymentFilterBar = ({ filters, onChange }: PaymentFilterBarProps): ReactNode => {
  const { search = '', status = [], method, bank = [], min, max, from, to } = filters;
  const banks = useOperation(listInstitutions).data ?? [];
  return (
    <>
      <SearchField
        label="Order, customer, amount or id"
        value={search}
        onSearch={(text) => onChange({ search: text || undefined })}
      />
      <ChoiceMenu
        label="Status"
        choices={statusChoices}
        chosen={status}
        onChoose={(chosen) => onChange({ status: chosen.length > 0 ? chosen : undefined })}
      />
      <ChoiceMenu
        label="Paid by"
        choices={methodChoices}
        chosen={method ? [method] : []}
        onChoose={(chosen) => onChange({ method: chosen.at(-1) })}
      />
      {(banks.length > 0 || bank.length > 0) && (
        <ChoiceMenu
          label="Bank"
          choices={banks.map(({ id, name }) => ({ value: id, label: name }))}
          chosen={bank}
          onChoose={(chosen) => onChange({ bank: chosen.length > 0 ? chosen : undefined })}
        />
      )}
      <AmountField label="From £" value={min} onAmount={(pounds) => onChange({ min: pounds })} />
      <AmountField label="To £" value={max} onAmount={(pounds) => onChange({ max: pounds })} />
      <DayField label="From day" value={from} max={to} onDay={(day) => onChange({ from: day })} />
      <DayField label="To day" value={to} min={from} onDay={(day) => onChange({ to: day })} />
      {hasPaymentFilters(filters) && (
        <Button variant="subtle" onClick={() => onChange(none)}>
          Clear
        </Button>
      )}
    </>
  );
};
