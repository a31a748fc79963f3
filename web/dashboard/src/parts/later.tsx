import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';

/** A call that brings what a row says beside its own. */
export type Later = {
  readonly isPending: boolean;
  readonly isPlaceholderData: boolean;
  readonly error: Error | null;
  /** What is said where it fails: "Could not ask the bank". */
  readonly failed: string;
};

/** A dash says that there is none: not that it is still asked for, or that nobody answered. */
export const insteadOf = ({ isPending, isPlaceholderData, error, failed }: Later): ReactNode => {
  if (error) return <span className="soft">{failed}</span>;
  if (!isPending && !isPlaceholderData) return null;
  return (
    <Skeleton height={14} width={72} radius="sm">
      <span className="unseen">Checking</span>
    </Skeleton>
  );
};
