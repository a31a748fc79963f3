import { Alert, Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { CallFailure } from '../call/call-operation.ts';
import { Icon } from '../design/icon.tsx';
import { useIsLate } from './is-late.ts';
import { Instead } from './layout.tsx';
import { CopyText } from './texts.tsx';

export type Failed = { readonly error: Error | null; readonly refetch: () => unknown };

/** Of what could not be read; nothing while it is being read. */
export const NotRead = ({ of: { error, refetch } }: { readonly of: Failed }): ReactNode =>
  error && (
    <div role="alert" className="card" data-tone="warn">
      <Instead title="This could not be loaded" icon="warning">
        <Said failure={error} />
        <p>
          Nothing was changed
          {isLost(error) && '. It loads by itself as soon as the server answers'}.
        </p>
        <Button mt="sm" variant="default" onClick={() => void refetch()}>
          Try again
        </Button>
      </Instead>
    </div>
  );

const isLost = (error: Error): boolean => error instanceof CallFailure && error.status === 0;

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

/** What went wrong with what was sent, and what can be done. */
export const FailureNotice = ({ failure, onRetry }: FailureNoticeProps): ReactNode => (
  <Alert
    color="red"
    variant="light"
    title="That did not work"
    role="alert"
    icon={<Icon name="warning" />}
  >
    <Said failure={failure} />
    {onRetry && (
      <Button mt="sm" variant="default" onClick={onRetry}>
        Try again
      </Button>
    )}
  </Alert>
);

/** The server's own sentence, and by what it can be asked about. */
const Said = ({ failure }: { readonly failure: Error }): ReactNode => {
  const { errors = [], requestId = null } = failure instanceof CallFailure ? failure : {};
  return (
    <>
      <p>{failure.message}</p>
      {/* Of one the sentence says all. */}
      {errors.length > 1 && (
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
    </>
  );
};
