export const nothingMoved = 'No money has been taken.';
const anotherWay = 'Please try again or choose another way to pay.';
const contactBank = 'Please ask the bank.';
const contactMerchant = 'Please tell the merchant, or choose another way to pay.';

const payeeAccountWrong = `The account to be paid was not accepted. ${nothingMoved} ${contactMerchant}`;
const payerAccountWrong = `The chosen account cannot make this payment. ${nothingMoved} ${anotherWay}`;
const accountWrong = `One of the two accounts was not accepted. ${nothingMoved} ${anotherWay}`;
const timedOut = `The banks did not answer each other in time. ${nothingMoved} ${anotherWay}`;
const bankOffline = `One of the two banks is not reachable. ${nothingMoved} ${anotherWay}`;
const overLimit = `The amount is above a limit of the account or bank. ${nothingMoved} ${anotherWay}`;
const amountWrong = `The bank does not accept this amount. ${nothingMoved} ${anotherWay}`;
const detailsWrong = `The bank did not accept the details of the payment. ${nothingMoved} ${contactMerchant}`;
const heldBack =
  'The bank stopped this payment to protect the account holder. ' +
  `${nothingMoved} ${contactBank}`;
const notAllowed =
  'The bank does not allow this kind of payment from the account. ' +
  `${nothingMoved} ${anotherWay}`;
const notApproved = `The payment was not approved at the bank. ${nothingMoved} ${anotherWay}`;
const notSaid = `The bank rejected the payment without giving a reason. ${nothingMoved} ${anotherWay}`;
const ourMessage = `The bank did not accept our message. ${nothingMoved} ${anotherWay}`;
const bankProblem = `The bank has a technical problem. ${nothingMoved} ${anotherWay}`;
const possiblyPaid =
  'The bank says that this payment was made before. Please check the account before paying again.';

/** Codes and their meaning to the person who wanted to pay. */
export const errorSentences: readonly (readonly [codes: string, sentence: string])[] = [
  // Accounts
  ['AC01 AC08 AC09 AC12 BE09 BE23 AC15', accountWrong],
  ['AC02 AC10 AC13 BE07 BE08 BE10 BE16 AC16', payerAccountWrong],
  ['AC03 AC11 AC14 BE04 BE06 BE11 BE17 BE22 1163 1165 1180 1166', payeeAccountWrong],
  ['AC04 AC07', `The account to be paid is closed. ${nothingMoved} ${contactMerchant}`],
  ['AC05', `The chosen account is closed. ${nothingMoved} ${anotherWay}`],
  ['AC06', `One of the two accounts is blocked. ${nothingMoved} ${anotherWay}`],
  [
    '1161 1177 1178',
    `The account to be paid takes no payments. ${nothingMoved} ${contactMerchant}`,
  ],
  ['BE01 1162', `The payee's name does not match the account. ${nothingMoved} ${contactMerchant}`],
  ['1100', `The payee's bank rejected the payment. ${nothingMoved} ${contactMerchant}`],
  // Amounts
  ['AM04', `There is not enough money in the account. ${nothingMoved} ${anotherWay}`],
  ['AM02 AM13 AM14 AM21 AM23 U014', overLimit],
  ['AM01 AM06 AM09 AM12 AM15 AM22', amountWrong],
  ['AM03 AM11 CURR U023', `The account cannot pay in pounds. ${nothingMoved} ${anotherWay}`],
  ['AM07', heldBack],
  ['AM05 DUPL DU01 DU02 DU03 DU04 DU05 1181', possiblyPaid],
  // Rules and people
  ['AG01 AG03 AG08 AG12 NOCM', notAllowed],
  ['FR01 FRAD RR01 RR02 RR03 RR04 LEGL SL11 SL12 BLCK', heldBack],
  ['MD07', `The account holder is no longer served by the bank. ${nothingMoved} ${anotherWay}`],
  ['CUST DS02 CN01 CANC', `The payment was cancelled at the bank. ${nothingMoved}`],
  ['MS02 MS03 NARR RJCT U042', notSaid],
  ['AGNT AG10 AG11 CNOR DNOR RC01 RC03 RC04', bankOffline],
  ['AB01 AB03 AB05 AB06 AB11', timedOut],
  ['AB02 AB04 AB07 AB08 AB09 AB10 DC02 ED05', bankOffline],
  ['TM01 U012', `The bank takes no more payments today. ${nothingMoved} ${anotherWay}`],
  ['BE05', `The bank does not know the service that sent the payment. ${nothingMoved}`],
  ['BE20 BE21 CH16 CH17 CH20 CH21 RF01 RR05 RR06 RR07 RR08 RR09 FF01', detailsWrong],
  ['FOCR', 'The payment was sent back because its cancellation was asked for.'],
  ['RUTA UPAY', 'The payment was sent back by the payee or the payee’s bank.'],
  // The standard's own
  ['U001 U002 U003 U004 U005 U010 U021 U022 U026 U027', detailsWrong],
  ['U006 U007 U008 U011 U013 U015 U016 U017 U018 U019 U020', ourMessage],
  ['U000', bankProblem],
  ['U009 U029 U035 U038', possiblyPaid],
  ['U028', `The bank wants to see the account holder again. ${nothingMoved} ${anotherWay}`],
  ['U033 U036 U037 U041', notApproved],
  ['U040', 'The payment waits for the approval of a further person.'],
  // Returns from the bank and the token
  ['access_denied', `The payment was declined at the bank. ${nothingMoved} ${anotherWay}`],
  ['login_required interaction_required consent_required account_selection_required', notApproved],
  ['temporarily_unavailable server_error', bankProblem],
  ['invalid_grant', `The approval is no longer valid. ${nothingMoved} ${anotherWay}`],
  [
    'invalid_request invalid_client unauthorized_client unsupported_response_type ' +
      'invalid_scope invalid_request_object invalid_target unsupported_grant_type',
    ourMessage,
  ],
  // Our own
  ['BANK_UNAVAILABLE', `The bank cannot be reached at the moment. ${nothingMoved} ${anotherWay}`],
  ['BANK_NOT_ENABLED', `This bank cannot be used here. ${nothingMoved} ${anotherWay}`],
  ['AUTHORISATION_REFUSED', ourMessage],
  ['ID_TOKEN_INVALID', `The bank's approval could not be verified. ${nothingMoved} ${anotherWay}`],
  ['CONSENT_ENDED', `The approval has ended at the bank. ${nothingMoved} ${anotherWay}`],
  ['NOT_SUBMITTED', `The payment did not reach the bank in time. ${nothingMoved} ${anotherWay}`],
];
