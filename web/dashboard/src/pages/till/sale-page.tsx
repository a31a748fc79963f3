import { getTillSale, listTillSales, voidTillSale } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAct, useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import { NotYet } from '../../parts/failure-notice.tsx';
import { DetailList, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { DateText } from '../../parts/texts.tsx';
import { describeSale, isOver, isRefunded, type Sale } from './describe-sale.ts';
import classes from './till.module.css';

const lookEveryMs = 1_500;
const restEveryMs = 10_000;

/** The code for the payer, and what becomes of it while they pay. */
export const SalePage = (): ReactNode => {
  const address = useAddress();
  const { paymentRequestId } = useParams({
    from: '/$merchantId/$environment/till/$paymentRequestId',
  });
  const navigate = useNavigate();
  const [wasOver, setWasOver] = useState(false);
  const read = useOperation(
    getTillSale,
    { params: { paymentRequestId } },
    { refetchEveryMs: wasOver ? restEveryMs : lookEveryMs },
  );
  const { data } = read;
  if (data && isOver(data) !== wasOver) setWasOver(isOver(data));
  if (!data) return <NotYet of={read} />;
  const amount = writePounds(totalOf(data));
  const next = (): void => void navigate({ to: address('till') });
  return (
    <>
      <PageTitle
        title={amount}
        above={<Link to={address('till')}>Till</Link>}
        says={data.notes ? `${data.notes}. Order ${data.orderId}` : `Order ${data.orderId}`}
      >
        {data.canVoid && <VoidSale sale={data} amount={amount} />}
        <Button size="md" variant={isOver(data) ? 'filled' : 'default'} onClick={next}>
          Next sale
        </Button>
      </PageTitle>
      <Screen sale={data} amount={amount} />
      <SectionCard title="The sale">
        <SaleFacts sale={data} />
      </SectionCard>
    </>
  );
};

const totalOf = ({ amount, tipAmount }: Sale): number =>
  (Math.round(amount * 100) + Math.round((tipAmount ?? 0) * 100)) / 100;

type ScreenProps = { readonly sale: Sale; readonly amount: string };

/** What the cashier turns to the payer. */
const Screen = ({ sale, amount }: ScreenProps): ReactNode => {
  const { title, advice, tone } = describeSale(sale);
  return (
    <section className={`card ${classes.screen}`} aria-label="For the customer" data-tone={tone}>
      {!isOver(sale) && (
        <img src={sale.qrCodeUrl} alt={`QR code to pay ${amount}`} width="320" height="320" />
      )}
      <div>
        <p className={classes.amount}>{amount}</p>
        <div className={classes.state} data-tone={tone} role="status" aria-live="polite">
          <p className={classes.title}>{title}</p>
          <p>{advice}</p>
        </div>
        {!isOver(sale) && (
          <p className="soft">
            Scan the code with a phone, or open <span className="code">{sale.shortUrl}</span>
          </p>
        )}
      </div>
    </section>
  );
};

const SaleFacts = ({ sale }: { readonly sale: Sale }): ReactNode => {
  const address = useAddress();
  const mayRefund = useMay('payments.refund');
  const payment = address(`payments/${sale.paymentRequestId}`);
  const canRefund = sale.status === 'COMPLETED' && !isRefunded(sale);
  return (
    <DetailList
      of={[
        ['Amount', writePounds(sale.amount)],
        ['Tip', sale.tipAmount === null ? 'The customer chooses' : writePounds(sale.tipAmount)],
        ['Paid', writePounds(sale.paidAmount)],
        ['Till', sale.tillName],
        ['Store', sale.storeName],
        ['Sold by', sale.madeBy],
        ['Sold', <DateText key="sold" at={sale.createdAt} />],
        [
          'Payment',
          <Link key="payment" to={payment}>
            {canRefund && mayRefund ? 'See the timeline, and refund' : 'See the timeline'}
          </Link>,
        ],
        ...(canRefund && !mayRefund
          ? [['Money back', 'Ask a manager to refund it.'] as const]
          : []),
      ]}
    />
  );
};

type VoidSaleProps = { readonly sale: Sale; readonly amount: string };

const VoidSale = ({ sale, amount }: VoidSaleProps): ReactNode => {
  const act = useAct(voidTillSale, { changes: [getTillSale, listTillSales] });
  const params = { paymentRequestId: sale.paymentRequestId };
  return (
    <ActButton
      size="md"
      says="Void"
      title={`Void the sale of ${amount}`}
      act={`Void ${amount}`}
      isDangerous
      onConfirm={() => act.mutateAsync({ params })}
    >
      <p>
        The code is closed and nothing is paid. If the customer has already paid, this is refused
        and you can refund the payment instead.
      </p>
    </ActButton>
  );
};
