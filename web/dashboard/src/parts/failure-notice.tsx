import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { CallFailure } from '../call/call-operation.ts';
import { CopyText } from './texts.tsx';

export type Failed = { readonly error: Error | null; readonly refetch: () => unknown };

/** Of what could not be read; nothing while it is being read. */
export const NotRead = ({ of: { error, refetch } }: { readonly of: Failed }): ReactNode =>
  error && <FailureNotice failure={error} onRetry={() => void refetch()} />;

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
