import type { CheckoutDraft } from '@florin/contract/dashboard/index.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTenant } from '../../../call/use-operation.ts';
import { SectionCard } from '../../../parts/section-card.tsx';
import classes from './checkout-preview.module.css';

const pauseMs = 400;
const frameName = 'checkout-preview';

/**
 * The hosted page, drawn by the server with what is typed. A form sends it, because a logo is too long for
 * an address; a new frame each time, so that the way back of the browser stays as it is.
 */
export const CheckoutPreview = ({ draft }: { readonly draft: CheckoutDraft }): ReactNode => {
  const tenant = useTenant();
  const form = useRef<HTMLFormElement>(null);
  const [sent] = useDebouncedValue(JSON.stringify(draft), pauseMs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another draft is another page.
  useEffect(() => form.current?.submit(), [sent]);
  if (!tenant) return null;
  return (
    <SectionCard title="What your customers see">
      <p className="soft">
        An order for £42.50, with what you have typed. Nothing can be paid here.
      </p>
      <form
        ref={form}
        method="post"
        action={`/dashboard/checkout-preview/${tenant.merchantId}/${tenant.environment}`}
        target={frameName}
        hidden
      >
        <input type="hidden" name="draft" value={sent} />
      </form>
      <iframe
        key={sent}
        name={frameName}
        title="Preview of the checkout"
        sandbox=""
        className={classes.frame}
      />
    </SectionCard>
  );
};
