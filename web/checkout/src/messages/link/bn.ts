import type { LinkMessages } from './en.ts';

export const bn: LinkMessages = {
  linkTitle: 'আপনার ব্যাংক অ্যাকাউন্ট যুক্ত করুন',
  linkText: '{merchant} আপনার ব্যাংক অ্যাকাউন্ট দেখতে চায়। আপনার ব্যাংক বেছে নিন।',
  linkUntil: '{time}-এর আগে এই পাতাটি ব্যবহার করুন',
  linkBankFailed: 'এখন {bank}-এর সাথে যোগাযোগ করা যাচ্ছে না। আবার চেষ্টা করুন বা অন্য ব্যাংক বেছে ' + 'নিন।',
  linkCancel: 'যুক্ত করবেন না',
  linkReviewTitle: 'কী শেয়ার করছেন দেখে নিন',
  linkService: '{operator}-এর পক্ষে {merchant}',
  linkShares: 'আপনি {service}-কে {bank} থেকে পড়তে দিচ্ছেন:',
  linkAccounts: 'অ্যাকাউন্টের বিবরণ: ব্যাংকের নাম, সর্ট কোড ও অ্যাকাউন্ট নম্বর',
  linkBalances: 'ব্যালেন্স',
  linkTransactions: 'গত {months} মাসের লেনদেন: তারিখ, পরিমাণ, বিবরণ, এবং কে দিয়েছেন বা পেয়েছেন',
  linkPurpose:
    'আপনি যে সেবা চেয়েছেন তার জন্য {merchant} এটি ব্যবহার করে। এটি দিয়ে কোনো ' + 'পেমেন্ট করা যায় না।',
  linkPeriod:
    'আপনি শেষ না করা পর্যন্ত অনুমতি থাকে। প্রতি {days} দিনে আপনি তা নিশ্চিত করেন; না ' + 'হলে তা থেমে যায়।',
  linkRevoke:
    'যেকোনো সময় শেষ করতে পারেন: এই পাতায়, {merchant}-এর কাছে বা আপনার ব্যাংকে। তখন ' +
    'যা পড়া হয়েছে তা মুছে ফেলা হয়।',
  linkChooseThere: 'অ্যাকাউন্টগুলি আপনি আপনার ব্যাংকে বেছে নেন।',
  linkAgree: 'সম্মত, {bank}-এ যান',
  linkWaiting: 'আপনার ব্যাংক নিশ্চিত করছে। এই পাতা খোলা রাখুন।',
  linkedTitle: '{bank}-এর সাথে যুক্ত',
  linkedText: '{merchant} এই অ্যাকাউন্টগুলি পড়তে পারে। চালু রাখতে {date}-এর আগে নিশ্চিত করুন।',
  linkedSince: '{date} থেকে যুক্ত',
  linkMissedTitle: 'অনুমতি কি চলবে?',
  linkMissedText:
    'আপনি {bank}-এর অনুমতি নিশ্চিত করেননি, তাই {merchant} আর আপনার অ্যাকাউন্ট পড়তে ' + 'পারে না।',
  linkConfirm: '{days} দিনের জন্য নিশ্চিত করুন',
  linkConfirmed: 'ধন্যবাদ। {merchant} {date} পর্যন্ত আপনার অ্যাকাউন্ট পড়তে পারে।',
  linkEnd: 'অনুমতি শেষ করুন',
  linkEndText: 'আর কিছু পড়া হবে না, এবং যা পড়া হয়েছে তা মুছে ফেলা হবে।',
  linkEndedTitle: 'অনুমতি শেষ হয়েছে',
  linkEndedText:
    '{merchant} আর আপনার অ্যাকাউন্ট পড়তে পারে না। আবার যুক্ত ' + 'করতে {merchant} থেকে ' + 'শুরু করুন।',
  linkNotFoundTitle: 'আমরা এই লিংকটি খুঁজে পাচ্ছি না',
  linkBadReturnText: 'ব্যবসা থেকে আবার শুরু করুন, বা আপনার লিংক আবার খুলুন।',
  testBankText: 'এটি একটি পরীক্ষামূলক ব্যাংক। এর উত্তর বেছে নিন।',
  testBankApprove: 'অনুমোদন করুন',
  testBankDecline: 'প্রত্যাখ্যান করুন',
  testBankFail: 'ব্যর্থ করুন',
};
