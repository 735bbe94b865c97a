package dev.eagle3;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;

/** Holds the code to the house that {@code docs/architecture.md} draws. */
@AnalyzeClasses(packages = "dev.eagle3", importOptions = ArchitectureTest.WithoutTests.class)
class ArchitectureTest {
  private static final String ROOT = "dev.eagle3.";

  /** The rows of the house: which number each package has. */
  private static final Map<String, Integer> ROWS =
      HouseTable.read(Path.of("docs", "architecture.md"));

  private static final Pattern EMPTY_NAME =
      Pattern.compile("utils?|common|core|helpers?|managers?|impl", Pattern.CASE_INSENSITIVE);

  /** ArchUnit's own option knows the folder test-classes only, and the checks compile elsewhere. */
  static final class WithoutTests implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/test-");
    }
  }

  @ArchTest
  static final ArchRule aRowImportsOnlyFromRowsAboveIt =
      classes().that().resideInAPackage("dev.eagle3..").should(onlyDependOnRowsAbove());

  @ArchTest
  static final ArchRule reportsKnowEventsAndNothingElseOfOurs =
      noClasses()
          .that()
          .resideInAPackage("dev.eagle3.report..")
          .should()
          .dependOnClassesThat(
              are(
                  resideInAPackage("dev.eagle3..")
                      .and(resideOutsideOfPackages("dev.eagle3.report..", "dev.eagle3.outcome"))));

  @ArchTest
  static final ArchRule onlyTwoPackagesKnowTheSshLibrary =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.eagle3.host.ssh..", "dev.eagle3.demo.server..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.sshd..", "net.i2p..");

  @ArchTest
  static final ArchRule onlyTheCommandLineEndsTheProcess =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.eagle3.cli..")
          .should()
          .callMethod(System.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "halt", int.class);

  @ArchTest
  static final ArchRule onlyTheCommandLineOwnsTheStreams =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.eagle3.cli..")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .accessField(System.class, "in");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("dev.eagle3.(**)").should().beFreeOfCycles();

  @ArchTest
  static void everyPackageStandsInTheHouseAndHasAName(JavaClasses classes) {
    Set<String> packages = new TreeSet<>();
    for (JavaClass type : classes) {
      packages.add(type.getPackageName().substring(ROOT.length()));
    }
    assertThat(packages)
        .isNotEmpty()
        .allSatisfy(name -> assertThat(ROWS).containsKey(top(name)))
        .allSatisfy(
            name ->
                assertThat(name.split("\\."))
                    .noneMatch(part -> EMPTY_NAME.matcher(part).matches()));
  }

  @ArchTest
  static void nothingIsNullUnlessItSaysSo(JavaClasses classes) {
    Set<JavaPackage> packages = classes.getDefaultPackage().getSubpackagesInTree();
    assertThat(packages)
        .filteredOn(each -> each.getName().startsWith(ROOT) && !each.getClasses().isEmpty())
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThat(each.isAnnotatedWith(NullMarked.class))
                    .as("package-info of %s has @NullMarked", each.getName())
                    .isTrue());
  }

  private static ArchCondition<JavaClass> onlyDependOnRowsAbove() {
    return new ArchCondition<>("import only from rows above their own") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          String to = dependency.getTargetClass().getBaseComponentType().getPackageName();
          if (to.startsWith(ROOT) && !isAllowed(type.getPackageName(), to)) {
            events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
          }
        }
      }
    };
  }

  private static boolean isAllowed(String from, String to) {
    String fromTop = top(from.substring(ROOT.length()));
    String toTop = top(to.substring(ROOT.length()));
    return fromTop.equals(toTop)
        || ROWS.getOrDefault(toTop, Integer.MAX_VALUE) < ROWS.getOrDefault(fromTop, 0);
  }

  private static String top(String name) {
    return name.split("\\.", 2)[0];
  }
}
