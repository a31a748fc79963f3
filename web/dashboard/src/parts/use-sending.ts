import { useState } from 'react';

/** One act at a time: whether it runs, and why the last one failed. */
export const useSending = () => {
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const send = async (act: () => Promise<void>): Promise<void> => {
    setIsSending(true);
    setFailure(null);
    try {
      await act();
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setIsSending(false);
    }
  };
  return { isSending, failure, send };
};
