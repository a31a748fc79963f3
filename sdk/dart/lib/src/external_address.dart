import 'florin_server.dart';

/// What could run in an app or read its files.
const _refusedSchemes = {
  'javascript', 'data', 'file', 'blob', 'vbscript', 'intent', 'about', 'view-source', 'content', //
  'android-app', 'filesystem', 'ftp', 'ws', 'wss', 'sms', 'smsto', 'market', 'itms', 'itms-apps',
};

bool isOfTheWeb(Uri address) => address.scheme == 'https' || address.scheme == 'http';

/// The address of a bank or of the card processor: of the web, or the scheme of a bank's app.
Uri? externalAddress(String text, {required bool allowsThisMachine}) {
  final address = Uri.tryParse(text);
  if (address == null || address.scheme.isEmpty || text.length > _maxCharacters) return null;
  if (address.scheme == 'https') return address.host.isEmpty ? null : address;
  if (address.scheme == 'http') {
    return allowsThisMachine && FlorinServer.isAllowed(address) ? address : null;
  }
  return _refusedSchemes.contains(address.scheme) ? null : address;
}

/// A link of the page that leaves it, such as the terms, or the bank after a form that no script took:
/// opened outside.
bool isSafeLink(Uri target, {required bool allowsThisMachine}) =>
    const {'mailto', 'tel'}.contains(target.scheme) ||
    (isOfTheWeb(target) && externalAddress('$target', allowsThisMachine: allowsThisMachine) != null);

const _maxCharacters = 8000;
