import { Button, Group, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { SectionCard } from '../../../parts/section-card.tsx';
import type { Operated } from '../merchants/detail/operated.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The record of a payment that a merchant or a bank asks about. */
export const FindPayment = ({ of }: { readonly of: Operated }): ReactNode => {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { merchantId, environment } = of;
  const id = typed.trim().toLowerCase();
  return (
    <SectionCard title="A payment">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (uuid.test(id))
            void navigate({
              to: '/operator/merchants/$merchantId/payments/$paymentRequestId',
              params: { merchantId, paymentRequestId: id },
              search: { environment },
            });
        }}
      >
        <Group align="end">
          <TextInput
            label="Payment request id"
            description="Its consents, every change, and its outcome where it stayed open"
            miw="min(24rem, 100%)"
            maxLength={36}
            value={typed}
            error={id.length === 36 && !uuid.test(id) && 'This is no id of a payment request.'}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={!uuid.test(id)}>
            Show the record
          </Button>
        </Group>
      </form>
    </SectionCard>
  );
};
