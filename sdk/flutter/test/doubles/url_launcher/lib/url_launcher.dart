/// A double of url_launcher: it opens nothing, and notes what was asked.
library;

enum LaunchMode {
  platformDefault,
  inAppWebView,
  inAppBrowserView,
  externalApplication,
  externalNonBrowserApplication,
}

final launches = <(Uri, LaunchMode)>[];
Future<bool> Function(Uri address, LaunchMode mode) answerLaunch = (_, _) async => true;
Future<bool> Function(Uri address) answerCanLaunch = (_) async => true;

Future<bool> launchUrl(Uri url, {LaunchMode mode = LaunchMode.platformDefault}) {
  launches.add((url, mode));
  return answerLaunch(url, mode);
}

Future<bool> canLaunchUrl(Uri url) => answerCanLaunch(url);
