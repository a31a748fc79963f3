import 'dart:async';
import 'dart:convert';
import 'dart:io';

/// Answers that a test chooses, by method and path; the last of each stays.
final class FakeServer {
  FakeServer._(this._server) {
    _server.listen(_answer);
  }

  static Future<FakeServer> open() async => FakeServer._(await HttpServer.bind('127.0.0.1', 0));

  final HttpServer _server;
  final _answers = <String, List<FakeAnswer>>{};
  final requests = <({String method, Uri uri, String body})>[];

  Uri get address => Uri.parse('http://127.0.0.1:${_server.port}');

  void answer(String call, List<FakeAnswer> answers) => _answers[call] = [...answers];

  int count(String path) => requests.where((each) => each.uri.path == path).length;

  Future<void> _answer(HttpRequest request) async {
    final body = await utf8.decodeStream(request);
    requests.add((method: request.method, uri: request.uri, body: body));
    final answers = _answers['${request.method} ${request.uri.path}'];
    final answer = answers == null
        ? const FakeAnswer(404, {'name': 'NOT_FOUND', 'message': 'nothing here'})
        : answers.length > 1
        ? answers.removeAt(0)
        : answers.first;
    final hold = answer.hold;
    if (hold != null) await hold;
    request.response.statusCode = answer.status;
    answer.headers.forEach(request.response.headers.set);
    request.response.write(answer.text ?? jsonEncode(answer.json));
    await request.response.close();
  }

  Future<void> close() => _server.close(force: true);
}

final class FakeAnswer {
  const FakeAnswer(this.status, this.json, {this.text, this.headers = const {}, this.hold});

  final int status;
  final Object? json;
  final String? text;
  final Map<String, String> headers;
  final Future<void>? hold;
}
