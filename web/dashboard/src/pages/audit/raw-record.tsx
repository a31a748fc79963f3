import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from '../../parts/raw-json.module.css';

type RawRecordProps = { readonly record: { readonly position: string; readonly hash: string } };

/** The record as it is stored, with its hash in the chain. */
export const RawRecord = ({ record }: RawRecordProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const title = `Record ${record.position}`;
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={() => setIsOpen(true)}>
        {title}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={title}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <p className="soft">
          The hash is of this record and of the hash before it, so none can be altered unseen.
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard. */}
        <pre className={classes.json} tabIndex={0}>
          {JSON.stringify(record, null, 2)}
        </pre>
      </Modal>
    </>
  );
};
