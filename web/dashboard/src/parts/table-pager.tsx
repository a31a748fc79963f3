import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Icon } from '../design/icon.tsx';
import { writeCount } from './numbers.ts';

export type Pager = {
  readonly page: number;
  readonly size: number;
  /** Undefined: not known yet. */
  readonly total: number | undefined;
  readonly isMinimum?: boolean | undefined;
  readonly onPage: (page: number) => void;
};

/** For lists that go on from their last row. */
export type Continued = {
  readonly hasMore: boolean;
  readonly hasBefore: boolean;
  readonly onMore: () => void;
  readonly onBefore: () => void;
};

type TablePagerProps = (Pager | Continued) & { readonly shown: number };

/** "21 to 40 of 1,204", with the ways to the pages before and after; nothing where all is in view. */
export const TablePager = (props: TablePagerProps): ReactNode => {
  const { words, before, after } = 'total' in props ? describePage(props) : describeList(props);
  if (!before && !after && words === null) return null;
  return (
    <Group justify="space-between" mt="sm">
      <span className="figures soft" role="status">
        {words}
      </span>
      {(before || after) && (
        <Group gap="xs">
          <Button
            variant="default"
            size="compact-sm"
            disabled={!before}
            onClick={before ?? undefined}
            leftSection={<Icon name="chevronLeft" size={14} />}
          >
            Previous
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            disabled={!after}
            onClick={after ?? undefined}
            rightSection={<Icon name="chevronRight" size={14} />}
          >
            Next
          </Button>
        </Group>
      )}
    </Group>
  );
};

type Described = {
  readonly words: string | null;
  readonly before: (() => void) | null;
  readonly after: (() => void) | null;
};

const describePage = (pager: Pager & { readonly shown: number }): Described => {
  const { page, size, total = 0, isMinimum, shown, onPage } = pager;
  const first = (page - 1) * size + 1;
  const count = `${isMinimum ? 'at least ' : ''}${writeCount(total)}`;
  const words = `${writeCount(first)} to ${writeCount(first + shown - 1)} of ${count}`;
  const goesOn = page * size < total || (isMinimum && shown === size);
  return {
    words: shown === 0 || (page === 1 && !goesOn) ? null : words,
    before: page > 1 ? () => onPage(page - 1) : null,
    after: goesOn ? () => onPage(page + 1) : null,
  };
};

const describeList = ({ hasMore, hasBefore, onMore, onBefore }: Continued): Described => ({
  words: null,
  before: hasBefore ? onBefore : null,
  after: hasMore ? onMore : null,
});

type Position = { readonly before?: string | undefined };
type NextBefore = string | null | undefined;

/** A list whose address holds where its page begins: the way back is the browser's. */
export const continueInAddress = (
  { before }: Position,
  nextBefore: NextBefore,
  change: (position: Position) => void,
): Continued => ({
  hasMore: Boolean(nextBefore),
  hasBefore: before !== undefined,
  onMore: () => change({ before: nextBefore ?? undefined }),
  onBefore: () => history.back(),
});

/** A list within a page, whose address stays: where each page that was passed begins. */
export const useContinued = () => {
  const [befores, setBefores] = useState<readonly string[]>([]);
  return {
    before: befores.at(-1),
    pagerTo: (nextBefore: NextBefore): Continued => ({
      hasMore: Boolean(nextBefore),
      hasBefore: befores.length > 0,
      onMore: () => nextBefore && setBefores([...befores, nextBefore]),
      onBefore: () => setBefores(befores.slice(0, -1)),
    }),
  };
};

/** Of filters that are closed: "Show 290 payments". */
export const sayShow = (name: string, pager: Pager | Continued | undefined): string => {
  const rows = name.replaceAll('-', ' ');
  if (!pager || !('total' in pager) || pager.total === undefined) return `Show ${rows}`;
  const few = pager.isMinimum ? 'at least ' : '';
  return `Show ${few}${writeCount(pager.total)} ${pager.total === 1 ? rows.replace(/s$/, '') : rows}`;
};
