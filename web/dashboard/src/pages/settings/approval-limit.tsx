import { getSettings, setRefundApproval } from '@florin/contract/dashboard/index.ts';
import { Checkbox, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { parsePounds } from '../../parts/parse-pounds.ts';
import { writePoundsFromPence } from '../../parts/write-pounds.ts';

type ApprovalLimitProps = { readonly above: number | null; readonly onClose: () => void };

/** Above which amount a refund needs a second person. */
export const ApprovalLimit = ({ above, onClose }: ApprovalLimitProps): ReactNode => {
  const [isOn, setIsOn] = useState(above !== null);
  const [text, setText] = useState(above === null ? '100.00' : above.toFixed(2));
  const change = useAct(setRefundApproval, { changes: [getSettings] });
  const pence = parsePounds(text);
  const amount = pence === null ? '' : writePoundsFromPence(pence);
  const act = isOn
    ? `Refunds above ${amount} need a second person`
    : 'No refund needs a second person';
  const refundApprovalAbove = isOn && pence !== null ? pence / 100 : null;
  return (
    <ConfirmAct
      isOpen
      title="Refunds that need a second person"
      act={act.trim()}
      isReady={!isOn || pence !== null}
      onConfirm={() => change.mutateAsync({ body: { refundApprovalAbove } })}
      onClose={onClose}
    >
      <Stack>
        <p>
          A member who refunds more of a payment, at once or in parts, proposes it; another owner or
          manager approves. Your programs are not bound: they refund with an access secret.
        </p>
        <Checkbox
          label="Large refunds need a second person"
          checked={isOn}
          onChange={({ currentTarget }) => setIsOn(currentTarget.checked)}
        />
        {isOn && (
          <TextInput
            label="Refunds above, in pounds"
            inputMode="decimal"
            value={text}
            error={pence === null && 'Write an amount such as 100.00.'}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Stack>
    </ConfirmAct>
  );
};
