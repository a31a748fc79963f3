import { limits, type ReplyOf } from '@florin/contract';
import { listPaymentCodes } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAddress, useMembership, useOperation } from '../../call/use-operation.ts';
import { NotYet } from '../../parts/failure-notice.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import classes from './print-codes-page.module.css';

type Code = ReplyOf<typeof listPaymentCodes>['data'][number];

/** Six codes on a page of A4, each with the business, the store and its label, to cut out. */
export const PrintCodesPage = (): ReactNode => {
  const address = useAddress();
  const [page, setPage] = useState(0);
  const query = { page, size: limits.pageSizeMax, status: 'ACTIVE' as const };
  const read = useOperation(listPaymentCodes, { query });
  const { data } = read;
  const name = useMembership()?.businessName ?? '';
  if (!data) return <NotYet of={read} />;
  const hasMore = (page + 1) * limits.pageSizeMax < data.totalCount;
  return (
    <>
      <PageTitle
        title="Print sheet"
        above={<Link to={address('codes')}>Printed codes</Link>}
        says="Six codes per A4 page"
      >
        {page > 0 && (
          <Button variant="default" onClick={() => setPage(page - 1)}>
            Newer codes
          </Button>
        )}
        {hasMore && (
          <Button variant="default" onClick={() => setPage(page + 1)}>
            Older codes
          </Button>
        )}
        {data.totalCount > 0 && <Button onClick={() => print()}>Print</Button>}
      </PageTitle>
      {data.totalCount === 0 && (
        <div className="card">
          <EmptyState title="No active codes" icon="code">
            Active codes are printed here, ready to cut out.{' '}
            <Link to={address('codes')}>Create a code</Link>
          </EmptyState>
        </div>
      )}
      <ul className={classes.sheet}>
        {data.data.map((code) => (
          <Printed key={code.codeId} code={code} name={name} />
        ))}
      </ul>
    </>
  );
};

const Printed = ({ code, name }: { readonly code: Code; readonly name: string }): ReactNode => (
  <li className={classes.code}>
    <p className={classes.name}>{name}</p>
    <img src={code.qrCodeUrl} alt={`QR code ${code.label}`} width="200" height="200" />
    <p className={classes.label}>{code.label}</p>
    <p>{code.storeName}</p>
    <p>{code.amount === null ? 'Scan to pay' : `Scan to pay ${writePounds(code.amount)}`}</p>
  </li>
);
