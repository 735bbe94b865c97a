package dev.eagle3.preflight;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A range of versions as packages say it: {@code >=0.3, <0.5}. Compared are the numbers of a
 * release; what follows them ({@code rc1}, {@code .dev3}, {@code +cu128}) is not.
 */
record VersionRange(List<Clause> clauses) {
  private static final Pattern CLAUSE =
      Pattern.compile("(==|!=|>=|<=|~=|>|<)\\s*(\\d[0-9A-Za-z.+!-]{0,60}?)(\\.\\*)?");
  private static final Pattern RELEASE =
      Pattern.compile("v?(\\d{1,9}(?:\\.\\d{1,9}){0,8})(?:[^0-9].*)?");

  /**
   * One comparison.
   *
   * @param prefix whether only the numbers that are given count: {@code ==2.9.*}
   */
  record Clause(String operator, List<Integer> version, boolean prefix) {}

  /** Empty when it is none of a kind that is known. */
  static Optional<VersionRange> parse(String text) {
    List<Clause> clauses = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher matcher = CLAUSE.matcher(part.strip());
      if (!matcher.matches()) {
        return Optional.empty();
      }
      Optional<List<Integer>> version = release(matcher.group(2));
      if (version.isEmpty()) {
        return Optional.empty();
      }
      clauses.add(new Clause(matcher.group(1), version.get(), matcher.group(3) != null));
    }
    return Optional.of(new VersionRange(clauses));
  }

  /** Whether a version is in it; empty when the version is none. */
  Optional<Boolean> includes(String version) {
    return release(version)
        .map(release -> clauses.stream().allMatch(clause -> holds(clause, release)));
  }

  private static boolean holds(Clause clause, List<Integer> release) {
    List<Integer> bound = clause.version();
    int order = compare(release, bound);
    boolean starts = compare(cut(release, bound.size()), bound) == 0;
    return switch (clause.operator()) {
      case "==" -> clause.prefix() ? starts : order == 0;
      case "!=" -> clause.prefix() ? !starts : order != 0;
      case ">=" -> order >= 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      case "<" -> order < 0;
      default ->
          order >= 0 && compare(cut(release, bound.size() - 1), cut(bound, bound.size() - 1)) == 0;
    };
  }

  private static List<Integer> cut(List<Integer> version, int size) {
    return version.subList(0, Math.max(0, Math.min(size, version.size())));
  }

  /** Missing numbers are 0: 0.16 is 0.16.0. */
  private static int compare(List<Integer> one, List<Integer> other) {
    for (int at = 0; at < Math.max(one.size(), other.size()); at++) {
      int order =
          Integer.compare(at < one.size() ? one.get(at) : 0, at < other.size() ? other.get(at) : 0);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static Optional<List<Integer>> release(String version) {
    Matcher matcher = RELEASE.matcher(version);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        Arrays.stream(matcher.group(1).split("\\.", -1)).map(Integer::valueOf).toList());
  }
}
