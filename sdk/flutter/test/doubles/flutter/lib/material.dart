/// A double of the few parts of Flutter that the package and its example use: see widgets.dart.
library;

import 'widgets.dart';

export 'widgets.dart';

Future<T?> showModalBottomSheet<T>({
  required BuildContext context,
  required WidgetBuilder builder,
  bool isScrollControlled = false,
  bool isDismissible = true,
  bool enableDrag = true,
  bool useSafeArea = false,
}) async {
  await context.navigator.push(builder).done.future;
  return null;
}

abstract final class Icons {
  static const close = IconData(0xe16a);
}

class MaterialLocalizations {
  const MaterialLocalizations();
  String get closeButtonTooltip => 'Close';
  static MaterialLocalizations of(BuildContext context) => const MaterialLocalizations();
}

class IconButton extends Widget {
  const IconButton({super.key, required this.icon, required this.onPressed, this.tooltip});
  final Widget icon;
  final VoidCallback? onPressed;
  final String? tooltip;
  @override
  List<Widget> get parts => [icon];
}

class FilledButton extends Widget {
  const FilledButton({super.key, required this.onPressed, required this.child});
  final VoidCallback? onPressed;
  final Widget child;
  @override
  List<Widget> get parts => [child];
}

class CircularProgressIndicator extends Widget {
  const CircularProgressIndicator({super.key});
}

class MaterialApp extends Widget {
  const MaterialApp({super.key, this.title = '', this.home});
  final String title;
  final Widget? home;
  @override
  List<Widget> get parts => [if (home case final home?) home];
}

class AppBar extends Widget {
  const AppBar({super.key, this.title});
  final Widget? title;
}

class Scaffold extends Widget {
  const Scaffold({super.key, this.appBar, this.body});
  final AppBar? appBar;
  final Widget? body;
  @override
  List<Widget> get parts => [if (body case final body?) body];
}
