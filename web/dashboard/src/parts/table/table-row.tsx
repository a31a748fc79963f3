import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Column } from './table-views.ts';

type TableRowProps<Row> = {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly link: string | undefined;
};

/** The first cell is the link; a click anywhere in the row follows it, unless text is selected. */
export const TableRow = <Row,>({ row, columns, link }: TableRowProps<Row>): ReactNode => {
  const navigate = useNavigate();
  const open = (target: EventTarget): void => {
    const isOwnControl = (target as Element).closest('a, button, input, label');
    if (link && !isOwnControl && !getSelection()?.toString()) void navigate({ to: link });
  };
  return (
    <tr data-link={link ? '' : undefined} onClick={({ target }) => open(target)}>
      {columns.map(({ id, title, cell, isRight, isMain }, position) => (
        <td
          key={id}
          data-title={title}
          data-right={isRight || undefined}
          data-main={isMain || undefined}
        >
          {link && position === 0 ? (
            <Link to={link} data-row-link="">
              {cell(row)}
            </Link>
          ) : (
            orDash(cell(row))
          )}
        </td>
      ))}
    </tr>
  );
};

const orDash = (content: ReactNode): ReactNode =>
  content === null || content === undefined || content === '' ? (
    <span className="soft">–</span>
  ) : (
    content
  );
