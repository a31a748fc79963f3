import { Alert, Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { CallFailure } from '../call/call-operation.ts';
import { useIsLate } from './is-late.ts';
import { CopyText } from './texts.tsx';

export type Failed = { readonly error: Error | null; readonly refetch: () => unknown };

/** Of what could not be read; nothing while it is being read. */
export const NotRead = ({ of: { error, refetch } }: { readonly of: Failed }): ReactNode =>
  error && <FailureNotice failure={error} onRetry={() => void refetch()} />;

/** In place of what is still read, or could not be read. */
export const NotYet = ({ of }: { readonly of: Failed }): ReactNode =>
  of.error ? <NotRead of={of} /> : <Loading />;

const lines = ['one', 'two', 'three', 'four'];

/** What is there within 300 ms needs no skeleton. */
const Loading = (): ReactNode => {
  const isLate = useIsLate(true);
  return (
    <div aria-busy="true">
      <p className="unseen" role="status">
        {isLate && 'Loading'}
      </p>
      {lines.map((line) => (
        <Skeleton key={line} height={18} mb="md" radius="sm" visible={isLate} animate={isLate}>
          &nbsp;
        </Skeleton>
      ))}
    </div>
  );
};

type FailureNoticeProps = {
  readonly failure: Error;
  readonly onRetry?: () => void;
};

/** What went wrong, in the server's own sentence, and what can be done. */
export const FailureNotice = ({ failure, onRetry }: FailureNoticeProps): ReactNode => {
  const { errors = [], requestId = null } = failure instanceof CallFailure ? failure : {};
  return (
    <Alert color="red" variant="default" title="That did not work" role="alert">
      <p>{failure.message}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <span className="code">{field}</span>: {message}
            </li>
          ))}
        </ul>
      )}
      {requestId && (
        <p className="soft">
          Request <CopyText text={requestId} what="request id" />
        </p>
      )}
      {onRetry && (
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
};
