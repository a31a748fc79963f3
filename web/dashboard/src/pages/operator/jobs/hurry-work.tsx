import { hurryWork, listStuckWork, type ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import { isEnvironment } from '../../../call/tenant.ts';
import { useAct } from '../../../call/use-operation.ts';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';

export type StuckWork = ReplyOf<typeof listStuckWork>['data'][number];

type HurryWorkProps = { readonly work: StuckWork; readonly onClose: () => void };

/** Ends the pause before the next try, and nothing else. */
export const HurryWork = ({ work, onClose }: HurryWorkProps): ReactNode => {
  const hurry = useAct(hurryWork, { changes: [listStuckWork] });
  const environment = work.environment.toLowerCase();
  const send = async (): Promise<void> => {
    if (!isEnvironment(environment)) throw new Error(`There is no environment ${environment}.`);
    const { merchantId, kind, workId } = work;
    await hurry.mutateAsync({
      params: { merchantId: merchantId ?? '', environment, kind, workId },
    });
  };
  return (
    <ConfirmAct
      isOpen
      title={`${work.title}: try now`}
      act="Try now"
      onConfirm={send}
      onClose={onClose}
    >
      <p>
        {work.businessName}, {environment}. {work.advice}
      </p>
      <p className="soft">
        A worker does now what it would do after the pause: it looks first what became of the last
        try, and nothing is sent twice. A failure makes the next pause longer.
      </p>
    </ConfirmAct>
  );
};
