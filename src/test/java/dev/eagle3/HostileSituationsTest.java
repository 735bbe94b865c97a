package dev.eagle3;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.eagle3.testing.Hostile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;

/** How many hostile hosts the tests know, each in its own words. */
class HostileSituationsTest {
  private static final int WANTED = 60;

  private final List<JavaMethod> tests =
      new ClassFileImporter()
              .importUrl(
                  HostileSituationsTest.class.getProtectionDomain().getCodeSource().getLocation())
              .stream()
              .flatMap(type -> type.getMethods().stream())
              .filter(method -> method.isAnnotatedWith(Hostile.class))
              .toList();

  @Test
  void thereAreManyOfThem() {
    assertThat(tests).hasSizeGreaterThanOrEqualTo(WANTED);
  }

  @Test
  void eachIsATestThatRuns() {
    assertThat(tests)
        .allSatisfy(
            method ->
                assertThat(
                        method.isAnnotatedWith(Test.class)
                            || method.isAnnotatedWith(ParameterizedTest.class)
                            || method.isAnnotatedWith(TestFactory.class))
                    .as(method.getFullName())
                    .isTrue());
  }

  @Test
  void eachSaysItsOwnSituation() {
    Map<String, Long> counts =
        tests.stream()
            .collect(
                groupingBy(
                    method -> method.getAnnotationOfType(Hostile.class).value(), counting()));

    assertThat(counts.entrySet().stream().filter(entry -> entry.getValue() > 1)).isEmpty();
  }
}
