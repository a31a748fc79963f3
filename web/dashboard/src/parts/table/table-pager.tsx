import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../design/icon.tsx';
import { writeCount } from '../write-pounds.ts';
import type { Continued, Pager } from './table-views.ts';

type TablePagerProps = (Pager | Continued) & { readonly shown: number };

/** "21 to 40 of 1,204", with the ways to the pages before and after. */
export const TablePager = (props: TablePagerProps): ReactNode => {
  const { words, before, after } = 'total' in props ? describePage(props) : describeList(props);
  if (!before && !after && words === null) return null;
  return (
    <Group justify="space-between" mt="sm">
      <span className="figures soft" role="status">
        {words}
      </span>
      <Group gap="xs">
        <Button
          variant="default"
          size="compact-md"
          disabled={!before}
          onClick={before ?? undefined}
          leftSection={<Icon name="chevronLeft" size={14} />}
        >
          Newer
        </Button>
        <Button
          variant="default"
          size="compact-md"
          disabled={!after}
          onClick={after ?? undefined}
          rightSection={<Icon name="chevronRight" size={14} />}
        >
          Older
        </Button>
      </Group>
    </Group>
  );
};

type Described = {
  readonly words: string | null;
  readonly before: (() => void) | null;
  readonly after: (() => void) | null;
};

const describePage = (pager: Pager & { readonly shown: number }): Described => {
  const { page, size, total, isMinimum, shown, onPage } = pager;
  const first = (page - 1) * size + 1;
  const count = `${isMinimum ? 'at least ' : ''}${writeCount(total)}`;
  const words = `${writeCount(first)} to ${writeCount(first + shown - 1)} of ${count}`;
  return {
    words: shown === 0 ? null : words,
    before: page > 1 ? () => onPage(page - 1) : null,
    after: page * size < total || (isMinimum && shown === size) ? () => onPage(page + 1) : null,
  };
};

const describeList = ({ hasMore, hasBefore, onMore, onBefore }: Continued): Described => ({
  words: null,
  before: hasBefore ? onBefore : null,
  after: hasMore ? onMore : null,
});
