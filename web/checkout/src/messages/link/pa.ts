import type { LinkMessages } from './en.ts';

export const pa: LinkMessages = {
  linkTitle: 'ਆਪਣਾ ਬੈਂਕ ਖਾਤਾ ਜੋੜੋ',
  linkText: '{merchant} ਤੁਹਾਡਾ ਬੈਂਕ ਖਾਤਾ ਦੇਖਣਾ ਚਾਹੁੰਦਾ ਹੈ। ਆਪਣਾ ਬੈਂਕ ਚੁਣੋ।',
  linkUntil: '{time} ਤੋਂ ਪਹਿਲਾਂ ਇਹ ਪੰਨਾ ਵਰਤੋ',
  linkBankFailed: 'ਹੁਣ {bank} ਨਾਲ ਸੰਪਰਕ ਨਹੀਂ ਹੋ ਸਕਦਾ। ਦੁਬਾਰਾ ਕੋਸ਼ਿਸ਼ ਕਰੋ ਜਾਂ ਹੋਰ ਬੈਂਕ ਚੁਣੋ।',
  linkCancel: 'ਨਾ ਜੋੜੋ',
  linkReviewTitle: 'ਜਾਂਚੋ ਕਿ ਤੁਸੀਂ ਕੀ ਸਾਂਝਾ ਕਰਦੇ ਹੋ',
  linkService: '{operator} ਵੱਲੋਂ {merchant}',
  linkShares: 'ਤੁਸੀਂ {service} ਨੂੰ {bank} ਤੋਂ ਪੜ੍ਹਨ ਦਿੰਦੇ ਹੋ:',
  linkAccounts: 'ਖਾਤੇ ਦੇ ਵੇਰਵੇ: ਬੈਂਕ ਦਾ ਨਾਂ, ਸੌਰਟ ਕੋਡ ਅਤੇ ਖਾਤਾ ਨੰਬਰ',
  linkBalances: 'ਬੈਲੇਂਸ',
  linkTransactions: 'ਪਿਛਲੇ {months} ਮਹੀਨਿਆਂ ਦਾ ਲੈਣ-ਦੇਣ: ਤਾਰੀਖ, ਰਕਮ, ਵੇਰਵਾ, ਅਤੇ ਕਿਸ ਨੇ ਦਿੱਤਾ ਜਾਂ ' + 'ਲਿਆ',
  linkPurpose: '{merchant} ਇਸ ਨੂੰ ਤੁਹਾਡੀ ਮੰਗੀ ਸੇਵਾ ਲਈ ਵਰਤਦਾ ਹੈ। ਇਸ ਨਾਲ ਕੋਈ ਭੁਗਤਾਨ ਨਹੀਂ ਹੋ ਸਕਦਾ।',
  linkPeriod:
    'ਪਹੁੰਚ ਉਦੋਂ ਤੱਕ ਰਹਿੰਦੀ ਹੈ ਜਦੋਂ ਤੱਕ ਤੁਸੀਂ ਬੰਦ ਨਾ ਕਰੋ। ਤੁਸੀਂ ਹਰ {days} ਦਿਨਾਂ ਬਾਅਦ ' +
    'ਪੁਸ਼ਟੀ ਕਰਦੇ ਹੋ; ਨਹੀਂ ਤਾਂ ਇਹ ਰੁਕ ਜਾਂਦੀ ਹੈ।',
  linkRevoke:
    'ਤੁਸੀਂ ਕਦੇ ਵੀ ਬੰਦ ਕਰ ਸਕਦੇ ਹੋ: ਇਸ ਪੰਨੇ ਉੱਤੇ, {merchant} ਕੋਲ ਜਾਂ ਆਪਣੇ ਬੈਂਕ ਵਿੱਚ। ' +
    'ਫਿਰ ਪੜ੍ਹਿਆ ਹੋਇਆ ਮਿਟਾ ਦਿੱਤਾ ਜਾਂਦਾ ਹੈ।',
  linkChooseThere: 'ਖਾਤੇ ਤੁਸੀਂ ਆਪਣੇ ਬੈਂਕ ਵਿੱਚ ਚੁਣਦੇ ਹੋ।',
  linkAgree: 'ਸਹਿਮਤ, {bank} ਉੱਤੇ ਜਾਓ',
  linkWaiting: 'ਤੁਹਾਡਾ ਬੈਂਕ ਪੁਸ਼ਟੀ ਕਰ ਰਿਹਾ ਹੈ। ਇਹ ਪੰਨਾ ਖੁੱਲ੍ਹਾ ਰੱਖੋ।',
  linkedTitle: '{bank} ਨਾਲ ਜੁੜਿਆ',
  linkedText: '{merchant} ਇਹ ਖਾਤੇ ਪੜ੍ਹ ਸਕਦਾ ਹੈ। ਜਾਰੀ ਰੱਖਣ ਲਈ {date} ਤੋਂ ਪਹਿਲਾਂ ਪੁਸ਼ਟੀ ਕਰੋ।',
  linkedSince: '{date} ਤੋਂ ਜੁੜਿਆ',
  linkMissedTitle: 'ਕੀ ਪਹੁੰਚ ਜਾਰੀ ਰਹੇ?',
  linkMissedText:
    'ਤੁਸੀਂ {bank} ਤੱਕ ਪਹੁੰਚ ਦੀ ਪੁਸ਼ਟੀ ਨਹੀਂ ਕੀਤੀ, ਇਸ ਲਈ {merchant} ਹੁਣ ਤੁਹਾਡੇ ਖਾਤੇ ' + 'ਨਹੀਂ ਪੜ੍ਹ ਸਕਦਾ।',
  linkConfirm: '{days} ਦਿਨਾਂ ਲਈ ਪੁਸ਼ਟੀ ਕਰੋ',
  linkConfirmed: 'ਧੰਨਵਾਦ। {merchant} {date} ਤੱਕ ਤੁਹਾਡੇ ਖਾਤੇ ਪੜ੍ਹ ਸਕਦਾ ਹੈ।',
  linkEnd: 'ਪਹੁੰਚ ਬੰਦ ਕਰੋ',
  linkEndText: 'ਹੋਰ ਕੁਝ ਨਹੀਂ ਪੜ੍ਹਿਆ ਜਾਵੇਗਾ, ਅਤੇ ਪੜ੍ਹਿਆ ਹੋਇਆ ਮਿਟਾ ਦਿੱਤਾ ਜਾਵੇਗਾ।',
  linkEndedTitle: 'ਪਹੁੰਚ ਬੰਦ ਹੋ ਗਈ',
  linkEndedText: '{merchant} ਹੁਣ ਤੁਹਾਡੇ ਖਾਤੇ ਨਹੀਂ ਪੜ੍ਹ ਸਕਦਾ। ਦੁਬਾਰਾ ਜੋੜਨ ਲਈ {merchant} ਤੋਂ ਸ਼ੁਰੂ ' + 'ਕਰੋ।',
  linkNotFoundTitle: 'ਸਾਨੂੰ ਇਹ ਲਿੰਕ ਨਹੀਂ ਮਿਲਦਾ',
  linkBadReturnText: 'ਕਾਰੋਬਾਰ ਤੋਂ ਦੁਬਾਰਾ ਸ਼ੁਰੂ ਕਰੋ, ਜਾਂ ਆਪਣਾ ਲਿੰਕ ਦੁਬਾਰਾ ਖੋਲ੍ਹੋ।',
  testBankText: 'ਇਹ ਇੱਕ ਪਰਖ ਬੈਂਕ ਹੈ। ਇਸ ਦਾ ਜਵਾਬ ਚੁਣੋ।',
  testBankApprove: 'ਮਨਜ਼ੂਰ ਕਰੋ',
  testBankDecline: 'ਨਾਮਨਜ਼ੂਰ ਕਰੋ',
  testBankFail: 'ਅਸਫਲ ਕਰੋ',
};
