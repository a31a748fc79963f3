import type { CheckoutDraft } from '@florin/contract/dashboard/index.ts';
import { getSettings } from '@florin/contract/dashboard/index.ts';
import { type ReactNode, useState } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { AmountPartsForm } from './amount-parts-form.tsx';
import { ExpiryForm } from './expiry-form.tsx';
import { LookForm } from './look-form.tsx';
import { WithPreview } from './preview/with-preview.tsx';
import { TipsForm } from './tips-form.tsx';

/** How the hosted page looks and what it offers. */
export const CheckoutPage = (): ReactNode => {
  const { data: settings, error, refetch } = useOperation(getSettings);
  const [look, setLook] = useState<CheckoutDraft>({});
  const [tips, setTips] = useState<CheckoutDraft>({});
  const [parts, setParts] = useState<CheckoutDraft>({});
  return (
    <>
      <PageTitle title="Checkout page" says="Logo and colour are the same in both environments." />
      {error && <FailureNotice failure={error} onRetry={() => void refetch()} />}
      {settings && (
        <WithPreview draft={{ ...look, ...tips, ...parts }}>
          <LookForm settings={settings} onDraft={setLook} />
          <TipsForm settings={settings} onDraft={setTips} />
          <AmountPartsForm settings={settings} onDraft={setParts} />
          <ExpiryForm settings={settings} />
        </WithPreview>
      )}
    </>
  );
};
