import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIsLate } from './is-late.ts';

const skeletonRows = ['one', 'two', 'three', 'four', 'five', 'six'];

/** What is there within 300 ms needs no skeleton. */
export const LoadingRows = ({ columns }: { readonly columns: number }): ReactNode => {
  const isLate = useIsLate(true);
  return skeletonRows.map((name) => (
    <tr key={name}>
      <td colSpan={columns}>
        <Skeleton height={14} radius="sm" visible={isLate} animate={isLate}>
          &nbsp;
        </Skeleton>
      </td>
    </tr>
  ));
};
