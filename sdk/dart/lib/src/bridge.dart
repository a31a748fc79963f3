import 'dart:convert';
import 'dart:math';

import 'generated/embed_message.dart';

/// The name under which a web view offers the bridge to the page.
const bridgeName = 'FlorinBridge';

/// What became of a text from the page.
sealed class BridgeReading {
  const BridgeReading();
}

final class BridgeMessage extends BridgeReading {
  const BridgeMessage(this.message);
  final EmbedMessage message;
}

/// Not of our page, or a type that came after this version: ignored.
final class BridgeNoise extends BridgeReading {
  const BridgeNoise();
}

/// The server speaks another version of the protocol.
final class BridgeMismatch extends BridgeReading {
  const BridgeMismatch(this.version);
  final int version;
}

/// A message counts only with the nonce of this session, which only the page that we opened knows.
BridgeReading readBridge(String text, {required String nonce}) {
  if (text.length > _maxCharacters) return const BridgeNoise();
  try {
    final json = jsonDecode(text);
    if (json is! Map<String, Object?> || json['nonce'] != nonce) return const BridgeNoise();
    final version = json['florin'];
    if (version is! int) return const BridgeNoise();
    if (version != embedProtocol) return BridgeMismatch(version);
    final message = EmbedMessage.fromJson(json);
    return message == null ? const BridgeNoise() : BridgeMessage(message);
  } on FormatException {
    return const BridgeNoise();
  }
}

const _maxCharacters = 10000;

/// 128 bits that nobody can guess.
String newNonce() {
  final random = Random.secure();
  return [
    for (var at = 0; at < 16; at += 1) random.nextInt(256).toRadixString(16).padLeft(2, '0'),
  ].join();
}
