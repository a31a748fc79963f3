import type { TransferReason } from '#rails/transfer-rail.ts';

/** The status codes of UK banks, each with the reason that a merchant sees. */
export const transferReasons: Readonly<Record<string, string>> = {
  AC01: 'The account number does not exist.',
  AC03: 'The account to be paid does not exist.',
  AC04: 'The account to be paid is closed.',
  AC06: 'The account to be paid is blocked.',
  AC13: 'The account to be paid is of a kind that cannot receive this transfer.',
  AC14: 'The account to be paid is of a kind that cannot receive this transfer.',
  AG01: 'The account to be paid does not allow transfers of this kind.',
  AG02: 'The bank does not offer this kind of transfer.',
  AM02: 'The amount is above what the bank allows.',
  AM04: 'The paying account does not hold enough money.',
  AM05: 'The bank has had this transfer before.',
  AM09: 'The amount differs from what was agreed.',
  AM14: 'The amount is above the limit that was agreed with the bank.',
  AM21: 'The amount is above the limit of a day.',
  BE01: 'The name does not belong to the account.',
  BE04: 'The address of the account holder is missing.',
  CUST: 'The sender asked for it.',
  CNOR: 'The bank to be paid is not known.',
  DNOR: 'The paying bank is not known.',
  DS04: 'The bank refused the order.',
  DT01: 'The date is not possible.',
  DUPL: 'The bank has had this transfer before.',
  ED05: 'The transfer could not be settled.',
  FF01: 'The bank could not read the order.',
  FOCR: 'The money was called back.',
  FR01: 'The bank suspects fraud.',
  MD07: 'The account holder has died.',
  MS02: 'The receiver does not accept the money, for no given reason.',
  MS03: 'The bank does not say why.',
  NARR: 'The bank gave a reason in words only.',
  NOAS: 'The receiver did not answer.',
  RC01: 'The sort code is wrong.',
  RC04: 'The bank to be paid is wrong.',
  RR01: 'The sender is not identified well enough.',
  RR02: 'The sender’s name or address is missing.',
  RR03: 'The receiver’s name or address is missing.',
  RR04: 'The transfer was stopped for regulatory reasons.',
  TM01: 'The order came after the bank’s closing time.',
};

const otherReason = 'The bank gave a reason of its own.';

export const describeReason = (code: string): TransferReason => ({
  code,
  description: transferReasons[code] ?? otherReason,
});
