/**
 * Ranged bytes in, names, shapes, dtypes, strides and storages of a tensor file out. Nothing from a
 * file is ever executed or constructed.
 *
 * <p>{@link dev.eagle3.tensor.TensorFileReader} is the way in, {@link dev.eagle3.tensor.TensorFile}
 * what comes out; the rest is hidden. A file goes through {@code FileWindow} (what was fetched of
 * it), {@code ContentReader} (which format it is), and the reader of its format: {@code
 * TorchZipReader}, {@code LegacyTorchReader}, {@code SafetensorsReader}, {@code GzipReader}, {@code
 * PlainPickleReader}. Those of torch read the directory ({@code Zip...}), the pickle ({@code
 * Pickle...} makes a tree of {@code Node}s), the tensors in the tree ({@code TensorWalker}, {@code
 * TensorRebuilder}, {@code CompoundRebuilder}, {@code ArrayReader}), and hold one against the other
 * ({@code TensorAssembler}). {@code CutTorchReader} does what can be done without a directory. A
 * new format is one more reader behind {@code ContentReader}.
 */
@NullMarked
package dev.eagle3.tensor;

import org.jspecify.annotations.NullMarked;
