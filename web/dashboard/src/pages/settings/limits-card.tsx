import type { ReplyOf } from '@florin/contract';
import { changeLimits, getSettings } from '@florin/contract/dashboard/index.ts';
import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useMay } from '../../call/use-me.ts';
import { useAct } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { DetailList } from '../../parts/detail-list.tsx';
import { MoneyText } from '../../parts/money-text.tsx';
import { parsePounds } from '../../parts/parse-pounds.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { writePounds, writePoundsFromPence } from '../../parts/write-pounds.ts';
import { ApprovalLimit } from './approval-limit.tsx';

type Settings = ReplyOf<typeof getSettings>;

/** How much one payment may be, and what the operator decided. */
export const LimitsCard = ({ settings }: { readonly settings: Settings }): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const [isApprovalOpen, setIsApprovalOpen] = useState(false);
  const mayWrite = useMay('settings.write');
  const mayLimitTeam = useMay('team.write');
  return (
    <SectionCard
      title="Limits"
      acts={
        <Group gap="sm">
          {mayWrite && (
            <Button variant="default" size="compact-sm" onClick={() => setIsOpen(true)}>
              Change the limit
            </Button>
          )}
          {mayLimitTeam && (
            <Button variant="default" size="compact-sm" onClick={() => setIsApprovalOpen(true)}>
              Second person
            </Button>
          )}
        </Group>
      }
    >
      <DetailList
        of={[
          ['Most of one payment', <MoneyText key="limit" pounds={settings.paymentLimit} />],
          ['You may raise it to', <MoneyText key="max" pounds={settings.paymentLimitMax} />],
          ['Category', settings.categoryCode],
          ['A refund needs a second person', approvalText(settings.refundApprovalAbove)],
        ]}
      />
      {isApprovalOpen && (
        <ApprovalLimit
          above={settings.refundApprovalAbove}
          onClose={() => setIsApprovalOpen(false)}
        />
      )}
      <ChangeLimit settings={settings} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </SectionCard>
  );
};

const approvalText = (above: number | null): string =>
  above === null ? 'Never' : `Above ${writePounds(above)} of a payment`;

type ChangeLimitProps = {
  readonly settings: Settings;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

const ChangeLimit = ({ settings, isOpen, onClose }: ChangeLimitProps): ReactNode => {
  const [text, setText] = useState('');
  const change = useAct(changeLimits, { changes: [getSettings] });
  const pence = parsePounds(text);
  const isAbove = pence !== null && pence / 100 > settings.paymentLimitMax;
  const isRight = pence !== null && !isAbove;
  const amount = isRight ? writePoundsFromPence(pence) : '';
  return (
    <ConfirmAct
      isOpen={isOpen}
      title="Most of one payment"
      act={`Allow payments up to ${amount}`.trim()}
      isReady={isRight}
      onConfirm={() => change.mutateAsync({ body: { paymentLimit: (pence ?? 0) / 100 } })}
      onClose={() => {
        setText('');
        onClose();
      }}
    >
      <TextInput
        label="Pounds"
        description="For requests from now on. Those that exist stay as they are."
        inputMode="decimal"
        placeholder={settings.paymentLimit.toFixed(2)}
        value={text}
        error={errorOf(text, pence, isAbove && writePounds(settings.paymentLimitMax))}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </ConfirmAct>
  );
};

const errorOf = (text: string, pence: number | null, above: string | false): string | null => {
  if (above) return `At most ${above}: the operator can raise it.`;
  return text !== '' && pence === null ? 'Write an amount such as 500.00.' : null;
};
