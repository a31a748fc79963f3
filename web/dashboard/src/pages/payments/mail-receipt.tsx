import { limits } from '@florin/contract';
import { mailReceipt } from '@florin/contract/dashboard/index.ts';
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import { typing } from '../../parts/fields.ts';

type MailReceiptProps = { readonly paymentRequestId: string };

/** The receipt that the payer could have asked for, to the address that they now name. */
export const MailReceipt = ({ paymentRequestId }: MailReceiptProps): ReactNode => {
  const [email, setEmail] = useState('');
  const mail = useAct(mailReceipt);
  const { data: sent } = mail;
  return (
    <>
      <ActButton
        says="Mail the receipt"
        act="Mail the receipt"
        isReady={email.trim() !== ''}
        onOpen={() => setEmail('')}
        onConfirm={() =>
          mail.mutateAsync({ params: { paymentRequestId }, body: { email: email.trim() } })
        }
      >
        <TextInput
          label="E-mail address"
          description={`At most ${limits.receiptMailsPerPayment} mails go out for one payment.`}
          type="email"
          maxLength={limits.emailLength}
          placeholder="name@example.com"
          {...typing(email, setEmail)}
        />
      </ActButton>
      <p role="status" className="soft">
        {sent && !sent.isCaught && `The receipt is on its way to ${sent.mailedTo}.`}
        {sent?.isCaught && 'The receipt was caught: read it on the page Sandbox.'}
      </p>
    </>
  );
};
