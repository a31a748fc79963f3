import type { LinkMessages } from './en.ts';

export const gu: LinkMessages = {
  linkTitle: 'તમારું બેંક ખાતું જોડો',
  linkText: '{merchant} તમારું બેંક ખાતું જોવા માગે છે. તમારી બેંક પસંદ કરો.',
  linkUntil: '{time} પહેલાં આ પાનું વાપરો',
  linkBankFailed: 'હમણાં {bank} નો સંપર્ક થઈ શકતો નથી. ફરી પ્રયાસ કરો અથવા બીજી બેંક પસંદ કરો.',
  linkCancel: 'જોડશો નહીં',
  linkReviewTitle: 'તમે શું વહેંચો છો તે તપાસો',
  linkService: '{operator} વતી {merchant}',
  linkShares: 'તમે {service} ને {bank} માંથી વાંચવા દો છો:',
  linkAccounts: 'ખાતાની વિગતો: બેંકનું નામ, સોર્ટ કોડ અને ખાતા નંબર',
  linkBalances: 'બેલેન્સ',
  linkTransactions: 'છેલ્લા {months} મહિનાના વ્યવહારો: તારીખ, રકમ, વર્ણન, અને કોણે ચૂકવ્યું કે ' + 'મેળવ્યું',
  linkPurpose: 'તમે માગેલી સેવા માટે {merchant} આ વાપરે છે. તેનાથી કોઈ ચુકવણી થઈ શકતી નથી.',
  linkPeriod:
    'તમે બંધ ન કરો ત્યાં સુધી પરવાનગી રહે છે. દર {days} દિવસે તમે પુષ્ટિ કરો છો; ' + 'નહીં તો તે અટકે છે.',
  linkRevoke:
    'તમે ગમે ત્યારે બંધ કરી શકો છો: આ પાના પર, {merchant} પાસે અથવા તમારી બેંકમાં. ' +
    'પછી વાંચેલું કાઢી નાખવામાં આવે છે.',
  linkChooseThere: 'ખાતાં તમે તમારી બેંકમાં પસંદ કરો છો.',
  linkAgree: 'સંમત, {bank} પર જાઓ',
  linkWaiting: 'તમારી બેંક પુષ્ટિ કરી રહી છે. આ પાનું ખુલ્લું રાખો.',
  linkedTitle: '{bank} સાથે જોડાયું',
  linkedText: '{merchant} આ ખાતાં વાંચી શકે છે. ચાલુ રાખવા {date} પહેલાં પુષ્ટિ કરો.',
  linkedSince: '{date} થી જોડાયેલું',
  linkMissedTitle: 'પરવાનગી ચાલુ રાખવી?',
  linkMissedText:
    'તમે {bank} ની પરવાનગીની પુષ્ટિ કરી નથી, તેથી {merchant} હવે તમારાં ખાતાં વાંચી ' + 'શકતું નથી.',
  linkConfirm: '{days} દિવસ માટે પુષ્ટિ કરો',
  linkConfirmed: 'આભાર. {merchant} {date} સુધી તમારાં ખાતાં વાંચી શકે છે.',
  linkEnd: 'પરવાનગી બંધ કરો',
  linkEndText: 'વધુ કંઈ વંચાશે નહીં, અને વાંચેલું કાઢી નાખવામાં આવશે.',
  linkEndedTitle: 'પરવાનગી પૂરી થઈ',
  linkEndedText: '{merchant} હવે તમારાં ખાતાં વાંચી શકતું નથી. ફરી જોડવા {merchant} થી શરૂ કરો.',
  linkNotFoundTitle: 'અમને આ લિંક મળતી નથી',
  linkBadReturnText: 'વ્યવસાયથી ફરી શરૂ કરો, અથવા તમારી લિંક ફરી ખોલો.',
  testBankText: 'આ એક પરીક્ષણ બેંક છે. તેનો જવાબ પસંદ કરો.',
  testBankApprove: 'મંજૂર કરો',
  testBankDecline: 'નકારો',
  testBankFail: 'નિષ્ફળ કરો',
};
