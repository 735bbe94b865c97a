package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Call;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A container on the way from the root of a tree to where its walker is. */
final class WalkFrame {
  private final Node container;
  private final String path;
  private final String key;
  private final List<Node> items;
  private final @Nullable List<String> names;
  private final boolean isInside;
  private int next;

  private WalkFrame(
      Node container,
      String path,
      String key,
      List<Node> items,
      @Nullable List<String> names,
      boolean isInside) {
    this.container = container;
    this.path = path;
    this.key = key;
    this.items = items;
    this.names = names;
    this.isInside = isInside;
  }

  /** A dict, list or tuple; a dict has a name for each item. */
  static WalkFrame of(
      Node container,
      String path,
      String key,
      List<Node> items,
      @Nullable List<String> names,
      boolean isInside) {
    return new WalkFrame(container, path, key, items, names, isInside);
  }

  /** An object of another class: what it was made from, and what it was given then. */
  static WalkFrame of(Call object, String path, String key) {
    List<Node> items = new ArrayList<>(3);
    items.add(object.arguments());
    if (object.state() != null) {
      items.add(object.state());
    }
    if (object.content() != null) {
      items.add(object.content());
    }
    return new WalkFrame(object, path, key, items, null, true);
  }

  Node container() {
    return container;
  }

  String key() {
    return key;
  }

  List<String> names() {
    return names == null ? List.of() : names;
  }

  /** Whether it is an object of another class, or within one. */
  boolean isInside() {
    return isInside;
  }

  boolean isDone() {
    return next == items.size();
  }

  /** Goes on to the next item and gives its number. */
  int advance() {
    return next++;
  }

  Node item(int index) {
    return items.get(index);
  }

  /** The name of an item of a dict; null for others. */
  @Nullable String name(int index) {
    return names == null ? null : names.get(index);
  }

  /** The path of an item: parts of an object have its own. */
  String pathOf(int index) {
    if (container instanceof Call) {
      return path;
    }
    String name = name(index);
    if (name == null) {
      return joined("[", index + "]");
    }
    return path.isEmpty() ? name : joined(".", name);
  }

  /** Without room for more: paths of nested containers are long, and there are many of them. */
  private String joined(String between, String last) {
    return path.concat(between).concat(last);
  }
}
