import { useEffect, useState } from 'react';

const lateAfterMs = 300;

/** Whether something waits for so long that the page has to say so. */
export const useIsLate = (isWaiting: boolean): boolean => {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setIsLate(false);
    const timer = setTimeout(() => setIsLate(true), lateAfterMs);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isLate;
};
