import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { describeStatus } from '../../parts/describe-status.ts';
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
  from: undefined,
  to: undefined,
};

export const PaymentFilterBar = ({ filters, onChange }: PaymentFilterBarProps): ReactNode => {
  const { search = '', status = [], method, from, to } = filters;
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
