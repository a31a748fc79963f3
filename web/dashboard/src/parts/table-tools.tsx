import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { ShowWords } from './filter-bar.tsx';
import { type Continued, type Pager, sayShow } from './table-pager.tsx';
import { type Choosable, type Settings, TableSettings } from './table-settings.tsx';
import classes from './table-tools.module.css';

type TableToolsProps = {
  readonly name: string;
  readonly columns: readonly Choosable[];
  readonly settings: Settings;
  readonly pager: Pager | Continued | undefined;
  readonly toolbar: ReactNode;
  /** Of the rows in view; undefined: not known yet. */
  readonly count: number | undefined;
};

/** Above a list: what it is filtered by, and its columns. Of nothing at all there is nothing to choose. */
export const TableTools = (props: TableToolsProps): ReactNode => {
  const { name, columns, settings, pager, toolbar, count } = props;
  // Every filter is in the address. What was used stays, so that the last filter can be taken away in it.
  const isFiltered = useLocation().searchStr !== '';
  const wasUsed = useRef(false);
  wasUsed.current ||= isFiltered || Boolean(count);
  if (count === 0 && !wasUsed.current) return null;
  return (
    <div className={classes.toolbar}>
      <div className={classes.filters}>
        <ShowWords value={sayShow(name, pager)}>{toolbar}</ShowWords>
      </div>
      <TableSettings columns={columns} settings={settings} />
    </div>
  );
};
