import type { ReactNode } from 'react';
import type { Membership } from '../call/use-me.ts';
import { Icon } from '../design/icon.tsx';
import { DateText } from '../parts/date-text.tsx';
import classes from './suspended-notice.module.css';

type SuspendedNoticeProps = {
  readonly suspension: Membership['suspensions'][number];
  readonly businessName: string;
  readonly operatorName: string;
};

/** On each page of the business: what stands still, why, what works, and who can end it. */
export const SuspendedNotice = (props: SuspendedNoticeProps): ReactNode => {
  const { suspension, businessName, operatorName } = props;
  const where = suspension.environment === 'sandbox' ? 'the sandbox' : 'production';
  return (
    <aside className={classes.notice} aria-label="Suspension">
      <p className={classes.title}>
        <Icon name="warning" />
        <strong>
          {businessName} is suspended in {where} since <DateText at={suspension.suspendedAt} />
        </strong>
      </p>
      <p className={classes.reason}>{suspension.reason}</p>
      <p>
        <b>Stopped:</b> new payment requests and links, payments that payers begin, charges of saved
        cards, new secrets and links to banks. Payouts are held.
      </p>
      <p>
        <b>Still works:</b> what is under way is finished. You can refund, capture, cancel, read and
        export.
      </p>
      <p>Contact {operatorName}, who runs this installation: only they can resume it.</p>
    </aside>
  );
};
