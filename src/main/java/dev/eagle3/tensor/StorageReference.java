package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Global;
import dev.eagle3.tensor.Node.Persistent;
import dev.eagle3.tensor.Node.Sequence;
import dev.eagle3.tensor.Node.Text;
import dev.eagle3.tensor.Node.Whole;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A storage as the pickle refers to it: {@code ('storage', class, key, location, numel)}; in legacy
 * files also a part of one.
 *
 * @param key its name: the file {@code data/KEY} of a ZIP
 * @param dtype of its elements; null for an untyped one, whose tensors say theirs
 * @param elements how many elements, or bytes where it is untyped
 * @param location the device it was on: {@code cpu}, {@code cuda:0}
 * @param view the part that is meant; null for the whole
 */
record StorageReference(
    String key, @Nullable Dtype dtype, long elements, String location, @Nullable View view) {

  /** A part of a storage, in its elements. */
  record View(long offset, long elements) {}

  /** What a persistent id says; null when it does not name a storage. */
  static @Nullable StorageReference of(Persistent persistent) {
    if (!(persistent.id() instanceof Sequence tuple) || tuple.items().size() < 5) {
      return null;
    }
    List<Node> items = tuple.items();
    if (items.get(0) instanceof Text tag
        && tag.value().equals("storage")
        && items.get(1) instanceof Global type
        && items.get(2) instanceof Text key
        && items.get(3) instanceof Text location
        && items.get(4) instanceof Whole elements
        && elements.value() >= 0) {
      View view = items.size() > 5 ? view(items.get(5), elements.value()) : null;
      return new StorageReference(
          key.value(), dtypeOf(type), elements.value(), location.value(), view);
    }
    return null;
  }

  /** {@code (key, offset, size)} of torch before 0.4; a part that does not fit is no part. */
  private static @Nullable View view(Node node, long elements) {
    if (node instanceof Sequence tuple
        && tuple.items().size() == 3
        && tuple.items().get(1) instanceof Whole offset
        && tuple.items().get(2) instanceof Whole size
        && offset.value() >= 0
        && size.value() >= 0
        && offset.value() <= elements - size.value()) {
      return new View(offset.value(), size.value());
    }
    return null;
  }

  /** Its size; -1 when the dtype has no known size, or the product no end. */
  long declaredBytes() {
    return dtype == null ? elements : dtype.bytes(elements);
  }

  /** How many elements of a tensor's dtype it holds; -1 when unknown. */
  long elementsOf(Dtype tensorDtype) {
    if (dtype != null) {
      return view == null ? elements : view.elements();
    }
    return tensorDtype.bits() == 0 ? -1 : elements / Math.max(1, tensorDtype.bits() / 8);
  }

  private static @Nullable Dtype dtypeOf(Global type) {
    String name = type.name();
    if (name.equals("UntypedStorage") || name.equals("_UntypedStorage")) {
      return null;
    }
    Dtype known = Dtype.ofStorageClass(name);
    return known == null ? new Dtype(type.qualifiedName(), 0) : known;
  }
}
