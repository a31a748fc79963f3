import 'dart:async';

/// Whether the page may go where it wants to.
enum Navigation { allow, prevent }

/// What a surface asks of the session while it shows the page.
abstract interface class SurfaceListener {
  /// Before each navigation of the whole page.
  Navigation onNavigation(Uri target);

  /// A text that the page gave to the bridge, and the address that it stood on.
  void onMessage(String text, Uri? page);

  /// The page itself could not be loaded.
  void onLoadFailed(String description);
}

/// Shows the hosted page: a web view.
abstract interface class CheckoutSurface {
  Future<void> open(Uri address, SurfaceListener listener);
}

/// Opens addresses outside of the app.
abstract interface class ExternalLauncher {
  /// An app is installed for an address that is not of the web.
  Future<bool> canOpen(Uri address);

  /// False: nothing opened.
  Future<bool> open(Uri address);
}

/// Whether the payer sees the app.
abstract interface class AppLifecycle {
  bool get isForeground;
  Stream<bool> get foregroundChanges;
}

/// The sheet that holds the page.
abstract interface class SheetHost {
  /// Removes it. The session ends with it.
  void close();
}
