import { limits } from '@florin/contract';
import { mailPaymentLink } from '@florin/contract/dashboard/index.ts';
import { Button, Group, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';

type MailLinkProps = { readonly paymentRequestId: string; readonly email: string | null };

/** Mails the link to a payer; what is queued is said, and can be done again for another address. */
export const MailLink = ({ paymentRequestId, email: known }: MailLinkProps): ReactNode => {
  const [email, setEmail] = useState(known ?? '');
  const [note, setNote] = useState('');
  const mail = useAct(mailPaymentLink);
  const to = email.trim();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (to === '' || mail.isPending) return;
    const body = { email: to, ...(note.trim() && { note: note.trim() }) };
    // What is refused is shown below the fields.
    const sent = await mail.mutateAsync({ params: { paymentRequestId }, body }).catch(() => null);
    if (sent) setEmail('');
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextInput
        label="E-mail address"
        type="email"
        required
        maxLength={limits.emailLength}
        placeholder="name@example.com"
        mb="md"
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <Textarea
        label="Your words to the payer"
        description="Optional. The mail names your business, the amount and the order by itself."
        maxLength={limits.mailNoteLength}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      {mail.error && <FailureNotice failure={mail.error} />}
      <p role="status">{mail.data && `The link is on its way to ${mail.data.mailedTo}.`}</p>
      <Group>
        <Button type="submit" disabled={to === ''} loading={mail.isPending}>
          Mail the link
        </Button>
      </Group>
    </form>
  );
};
