import type { CardTools, Outcome } from '../ports.ts';
import { commitWork } from './commit-work.ts';
import { type Desk, openDesk } from './desk.ts';

const mostTries = 40;

// Decides and writes; when somebody else was faster, decides again on what is there now.
export const doWork = async <Result>(
  tools: CardTools,
  decide: (desk: Desk) => Promise<Outcome<Result>>,
): Promise<Result> => {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const desk = openDesk(tools);
    const { saved, happenings, result } = await decide(desk);
    if (saved.length === 0) return result;
    desk.put(saved);
    if ((await commitWork(tools, desk.show, { saved, happenings })) === 'done') return result;
  }
  throw new Error('others kept changing the same payment');
};
