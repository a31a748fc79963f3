import type { LinkMessages } from './en.ts';

export const ur: LinkMessages = {
  linkTitle: 'اپنا بینک اکاؤنٹ جوڑیں',
  linkText: '{merchant} آپ کا بینک اکاؤنٹ دیکھنا چاہتا ہے۔ اپنا بینک چنیں۔',
  linkUntil: 'یہ صفحہ {time} سے پہلے استعمال کریں',
  linkBankFailed: '{bank} سے ابھی رابطہ نہیں ہو سکتا۔ دوبارہ کوشش کریں یا کوئی اور بینک چنیں۔',
  linkCancel: 'نہ جوڑیں',
  linkReviewTitle: 'دیکھ لیں کہ آپ کیا بانٹ رہے ہیں',
  linkService: '{merchant} منجانب {operator}',
  linkShares: 'آپ {service} کو {bank} سے یہ پڑھنے دیتے ہیں:',
  linkAccounts: 'اکاؤنٹ کی تفصیل: بینک کا نام، سورٹ کوڈ اور اکاؤنٹ نمبر',
  linkBalances: 'بیلنس',
  linkTransactions:
    'پچھلے {months} مہینوں کا لین دین: تاریخ، رقم، تفصیل، اور کس نے ادا کیا یا کسے ملا',
  linkPurpose:
    '{merchant} اسے اس خدمت کے لیے استعمال کرتا ہے جو آپ نے مانگی۔ اس سے کوئی ' +
    'ادائیگی نہیں ہو سکتی۔',
  linkPeriod:
    'رسائی تب تک رہتی ہے جب تک آپ اسے ختم نہ کریں۔ آپ ہر {days} دن بعد تصدیق کرتے ' +
    'ہیں، ورنہ یہ رک جاتی ہے۔',
  linkRevoke:
    'آپ اسے کسی بھی وقت ختم کر سکتے ہیں: اس صفحے پر، {merchant} کے پاس یا اپنے بینک ' +
    'میں۔ پھر پڑھا ہوا مٹا دیا جاتا ہے۔',
  linkChooseThere: 'اکاؤنٹ آپ اپنے بینک میں چنتے ہیں۔',
  linkAgree: 'متفق ہوں، {bank} پر جائیں',
  linkWaiting: 'آپ کا بینک تصدیق کر رہا ہے۔ یہ صفحہ کھلا رکھیں۔',
  linkedTitle: '{bank} سے جڑ گیا',
  linkedText: '{merchant} یہ اکاؤنٹ پڑھ سکتا ہے۔ جاری رکھنے کے لیے {date} سے پہلے تصدیق کریں۔',
  linkedSince: '{date} سے جڑا ہوا',
  linkMissedTitle: 'کیا رسائی جاری رہے؟',
  linkMissedText:
    'آپ نے {bank} تک رسائی کی تصدیق نہیں کی، اس لیے {merchant} اب آپ کے اکاؤنٹ نہیں پڑھ سکتا۔',
  linkConfirm: '{days} دن کے لیے تصدیق کریں',
  linkConfirmed: 'شکریہ۔ {merchant} {date} تک آپ کے اکاؤنٹ پڑھ سکتا ہے۔',
  linkEnd: 'رسائی ختم کریں',
  linkEndText: 'مزید کچھ نہیں پڑھا جائے گا، اور پڑھا ہوا مٹا دیا جائے گا۔',
  linkEndedTitle: 'رسائی ختم ہو گئی',
  linkEndedText:
    '{merchant} اب آپ کے اکاؤنٹ نہیں پڑھ سکتا۔ دوبارہ جوڑنے کے لیے {merchant} سے شروع کریں۔',
  linkNotFoundTitle: 'ہمیں یہ لنک نہیں ملتا',
  linkBadReturnText: 'کاروبار سے دوبارہ شروع کریں، یا اپنا لنک دوبارہ کھولیں۔',
  testBankText: 'یہ ایک آزمائشی بینک ہے۔ اس کا جواب چنیں۔',
  testBankApprove: 'منظور کریں',
  testBankDecline: 'مسترد کریں',
  testBankFail: 'ناکام کریں',
};
