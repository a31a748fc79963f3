import { limits } from '@florin/contract';
import { getPaymentLink, mailReceipt } from '@florin/contract/dashboard/index.ts';
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useOperation } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import { typing } from '../../parts/fields.ts';

type MailReceiptProps = {
  readonly paymentRequestId: string;
  readonly paymentIdempotencyId: string;
  /** Only then is the known address filled in: of a split bill it may be that of another payer. */
  readonly isOnlyPayer: boolean;
  /** Of this refund, in place of the payment's. */
  readonly refundId?: string;
  /** Of which it is, where a page has several. */
  readonly label?: string;
};

/** The receipt that the payer could have asked for, or that of a refund, to any address. */
export const MailReceipt = (props: MailReceiptProps): ReactNode => {
  const { paymentRequestId, paymentIdempotencyId, refundId, label, isOnlyPayer } = props;
  // Undefined: as it is known.
  const [typed, setEmail] = useState<string>();
  const params = { paymentRequestId };
  const known = useOperation(getPaymentLink, { params }, { enabled: isOnlyPayer }).data?.email;
  const email = typed ?? known ?? '';
  const mail = useAct(mailReceipt);
  const { data: sent } = mail;
  const what = refundId ? 'receipt of the refund' : 'receipt';
  const file = new URLSearchParams({
    ...{ paymentRequestId, payment: paymentIdempotencyId, ...(refundId && { refund: refundId }) },
  });
  return (
    <>
      <ActButton
        says={refundId ? 'Receipt' : 'Email the receipt'}
        title={`Email the ${what}`}
        act={`Email the ${what}`}
        {...(label && { label })}
        {...(refundId && { size: 'compact-sm' as const })}
        isReady={email.trim() !== ''}
        onOpen={() => setEmail(undefined)}
        onConfirm={() =>
          mail.mutateAsync({
            params,
            body: { email: email.trim(), ...(refundId && { refundId }) },
          })
        }
      >
        <TextInput
          label="Email address"
          description={`A receipt can be sent ${limits.receiptMailsPerPayment} times.`}
          type="email"
          maxLength={limits.emailLength}
          placeholder="name@example.com"
          {...typing(email, setEmail)}
        />
        <p>
          Or save it and hand it over yourself: <a href={`/pay/receipt.pdf?${file}`}>PDF</a>
        </p>
      </ActButton>
      <span role="status" className="soft">
        {sent && !sent.isCaught && `The ${what} is on its way to ${sent.mailedTo}.`}
        {sent?.isCaught && `The ${what} was caught: read it on the page Sandbox.`}
      </span>
    </>
  );
};
