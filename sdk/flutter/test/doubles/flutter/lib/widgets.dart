/// A double of the few parts of Flutter that the package uses, written from its public API, so that the
/// package is compiled and run where no Flutter exists. It draws nothing.
library;

import 'dart:async';

typedef VoidCallback = void Function();
typedef WidgetBuilder = Widget Function(BuildContext context);

class Key {
  const Key(this.name);
  final String name;
}

class Size {
  const Size(this.width, this.height);
  final double width;
  final double height;
}

class Locale {
  const Locale(this.languageCode);
  final String languageCode;
}

abstract class Widget {
  const Widget({this.key});
  final Key? key;

  /// Of the double: what stands within it.
  List<Widget> get parts => const [];
}

abstract class StatelessWidget extends Widget {
  const StatelessWidget({super.key});
  Widget build(BuildContext context);
}

abstract class StatefulWidget extends Widget {
  const StatefulWidget({super.key});
  State<StatefulWidget> createState();
}

abstract class State<T extends StatefulWidget> {
  late T widget;
  late BuildContext context;
  bool mounted = true;
  void initState() {}
  void dispose() => mounted = false;
  void setState(VoidCallback change) {
    if (!mounted) throw StateError('setState after dispose');
    change();
  }

  Widget build(BuildContext context);
}

class BuildContext {
  BuildContext(this.navigator, {this.route, this.locale});
  final NavigatorState navigator;
  final ModalRoute<Object?>? route;
  final Locale? locale;
  bool mounted = true;
}

class ModalRoute<T> {
  ModalRoute(this._navigator);
  final NavigatorState _navigator;
  final done = Completer<void>();
  late Widget page;
  late BuildContext context;
  final states = <StatefulWidget, State>{};

  bool get isCurrent => identical(_navigator.routes.lastOrNull, this);

  static ModalRoute<Object?>? of(BuildContext context) => context.route;

  /// All widgets of the page as they are now.
  Iterable<Widget> get shown => _walk(page);

  Iterable<Widget> _walk(Widget widget) sync* {
    yield widget;
    if (widget is StatelessWidget) yield* _walk(widget.build(context));
    if (widget is StatefulWidget) yield* _walk(_stateOf(widget).build(context));
    for (final part in widget.parts) {
      yield* _walk(part);
    }
  }

  State _stateOf(StatefulWidget widget) => states.putIfAbsent(widget, () {
    final state =
        widget.createState()
          ..widget = widget
          ..context = context;
    return state..initState();
  });

  T2 find<T2 extends Widget>() => shown.whereType<T2>().first;
}

class NavigatorState {
  final routes = <ModalRoute<Object?>>[];
  Locale? locale = const Locale('cy');

  ModalRoute<Object?> push(WidgetBuilder builder) {
    final route = ModalRoute<Object?>(this);
    routes.add(route);
    route
      ..context = BuildContext(this, route: route, locale: locale)
      ..page = builder(route.context);
    route.shown.length;
    return route;
  }

  void pop() => removeRoute(routes.last);

  void removeRoute(ModalRoute<Object?> route) {
    if (!routes.remove(route)) throw StateError('the route is gone');
    for (final state in route.states.values) {
      state.dispose();
    }
    route.context.mounted = false;
    route.done.complete();
  }

  /// The back button of the system.
  void goBack() {
    final scope = routes.last.shown.whereType<PopScope<Object?>>().firstOrNull;
    if (scope != null && !scope.canPop) return scope.onPopInvokedWithResult?.call(false, null);
    pop();
  }
}

abstract final class Navigator {
  static NavigatorState of(BuildContext context) => context.navigator;
}

abstract final class Localizations {
  static Locale? maybeLocaleOf(BuildContext context) => context.locale;
}

class PopScope<T> extends Widget {
  const PopScope({
    super.key,
    required this.child,
    this.canPop = true,
    this.onPopInvokedWithResult,
  });
  final Widget child;
  final bool canPop;
  final void Function(bool didPop, T? result)? onPopInvokedWithResult;
  @override
  List<Widget> get parts => [child];
}

class SizedBox extends Widget {
  const SizedBox({super.key, this.width, this.height, this.child});
  final double? width;
  final double? height;
  final Widget? child;
  @override
  List<Widget> get parts => [if (child case final child?) child];
}

class Column extends Widget {
  const Column({super.key, this.children = const []});
  final List<Widget> children;
  @override
  List<Widget> get parts => children;
}

class Expanded extends Widget {
  const Expanded({super.key, required this.child});
  final Widget child;
  @override
  List<Widget> get parts => [child];
}

class Center extends Widget {
  const Center({super.key, this.child});
  final Widget? child;
  @override
  List<Widget> get parts => [if (child case final child?) child];
}

class AlignmentDirectional {
  const AlignmentDirectional(this.start, this.y);
  final double start;
  final double y;
  static const centerEnd = AlignmentDirectional(1, 0);
}

class Align extends Widget {
  const Align({super.key, required this.alignment, this.child});
  final AlignmentDirectional alignment;
  final Widget? child;
  @override
  List<Widget> get parts => [if (child case final child?) child];
}

class Text extends Widget {
  const Text(this.data, {super.key});
  final String data;
}

class IconData {
  const IconData(this.codePoint);
  final int codePoint;
}

class Icon extends Widget {
  const Icon(this.icon, {super.key});
  final IconData icon;
}

abstract final class MediaQuery {
  static Size sizeOf(BuildContext context) => const Size(390, 780);
}

enum AppLifecycleState { detached, resumed, inactive, hidden, paused }

mixin WidgetsBindingObserver {
  void didChangeAppLifecycleState(AppLifecycleState state) {}
}

class WidgetsBinding {
  static final instance = WidgetsBinding();
  static void ensureInitialized() {}
  final observers = <WidgetsBindingObserver>[];
  void addObserver(WidgetsBindingObserver observer) => observers.add(observer);
  bool removeObserver(WidgetsBindingObserver observer) => observers.remove(observer);

  /// Of the double: what the system would say.
  void say(AppLifecycleState state) {
    for (final observer in [...observers]) {
      observer.didChangeAppLifecycleState(state);
    }
  }
}

Widget? shownApp;
void runApp(Widget app) => shownApp = app;
