import { listFailedMails, type ReplyOf, sendMailAgain } from '@florin/contract';
import type { ReactNode } from 'react';
import { useAct } from '../../../call/use-operation.ts';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';
import { sentenceCase } from '../../../parts/describe-status.ts';

export type FailedMail = ReplyOf<typeof listFailedMails>['data'][number];

type SendMailAgainProps = { readonly mail: FailedMail; readonly onClose: () => void };

/** Now instead of later; one that was given up once more. */
export const SendMailAgain = ({ mail, onClose }: SendMailAgainProps): ReactNode => {
  const send = useAct(sendMailAgain, { changes: [listFailedMails] });
  const { source, mailId, kind, to } = mail;
  return (
    <ConfirmAct
      isOpen
      title={`Send again: ${sentenceCase(kind).toLowerCase()}`}
      act="Send it again"
      onConfirm={() => send.mutateAsync({ params: { source, mailId } })}
      onClose={onClose}
    >
      <p>
        The mail to {to} is sent as it was written, as soon as a worker is free. {mail.title}{' '}
        {mail.advice}
      </p>
    </ConfirmAct>
  );
};
