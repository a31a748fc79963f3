/// A payment request belongs to one of two environments.
enum Env {
  sandbox('SANDBOX'),
  prod('PRODUCTION');

  const Env(this.wire);

  /// As the server writes it.
  final String wire;
}
