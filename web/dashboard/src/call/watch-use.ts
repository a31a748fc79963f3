import { realNow } from '../parts/times.ts';

let lastAct = realNow();

/** What a page reads on its own keeps no session open: only what its person does. */
export const watchUse = (): void => {
  const note = (): void => {
    lastAct = realNow();
  };
  for (const act of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
    document.addEventListener(act, note, { capture: true, passive: true });
};

export const idleSeconds = (): number =>
  Math.floor((realNow().getTime() - lastAct.getTime()) / 1000);
