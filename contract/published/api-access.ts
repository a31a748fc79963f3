import type { ApiAccess, Operation } from '../operation.ts';

/** Who may call a published operation. Those of the dashboard are not published. */
export const apiAccess = ({ access, id }: Operation): ApiAccess => {
  if (access === 'member' || access === 'person' || access === 'visitor')
    throw new Error(`${id} belongs to the dashboard`);
  return access;
};
