import { getPaymentTimeline } from '@florin/contract/dashboard/index.ts';
import { useOperation } from '../../call/use-operation.ts';

const lookEveryMs = 5_000;

/** What became of a link. It is looked at again while the page is open. */
export const useLink = (paymentRequestId: string) => {
  const read = useOperation(
    getPaymentTimeline,
    { params: { paymentRequestId } },
    { refetchEveryMs: lookEveryMs },
  );
  return { ...read, isOpen: read.data?.status === 'OPEN' };
};
