package org.overlaytrie.conformance.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

/**
 * The program behind {@code verify.sh}. Exit status: 0 all evidence is green, 1 something failed, 2
 * the arguments or the environment are wrong.
 */
@Command(
    name = "verify.sh",
    synopsisSubcommandLabel = "[STAGE]",
    description = {
      "Checks that Overlay Trie does what it promises: in its models, in recorded executions, under"
          + " crashes, under controlled schedules and on the memory model. Runs every stage, or the"
          + " one named, and writes target/verify/report.html and report.json."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:all evidence is green",
      "1:something failed",
      "2:the arguments or the environment are wrong"
    })
public final class Verify implements Callable<Integer> {

  @Option(names = "--list", description = "List the stages and how long they take, and run none.")
  private boolean list;

  @Option(
      names = "--deep",
      scope = ScopeType.INHERIT,
      description = "Check the longer models, all mutants and more random histories too.")
  private boolean deep;

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Print report.json, and everything else to standard error.")
  private boolean json;

  private final Environment environment;
  private final List<Stage> stages;

  private Verify(Environment environment, List<Stage> stages) {
    this.environment = environment;
    this.stages = List.copyOf(stages);
  }

  /** See {@code verify.sh --help}. */
  public static void main(String[] arguments) {
    System.exit(run(Environment.ofProcess(), Stages.all(), arguments));
  }

  /** Runs one command and returns its exit status. */
  static int run(Environment environment, List<Stage> stages, String... arguments) {
    Verify verify = new Verify(environment, stages);
    CommandLine line = new CommandLine(verify);
    line.getCommandSpec()
        .addOption(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .scopeType(ScopeType.INHERIT)
                .description("Show this text, and run nothing.")
                .build());
    for (Stage stage : stages) {
      CommandSpec spec = CommandSpec.forAnnotatedObject(verify.new One(stage));
      spec.usageMessage().description(stage.description() + ".");
      line.addSubcommand(stage.name(), spec);
    }
    line.addSubcommand(verify.new Again());
    line.setOut(new PrintWriter(environment.out(), true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(environment.err(), true, StandardCharsets.UTF_8));
    line.setExecutionExceptionHandler(
        (exception, command, parsed) -> {
          if (exception instanceof UsageException) {
            environment.err().println(exception.getMessage());
            return CommandLine.ExitCode.USAGE;
          }
          exception.printStackTrace(environment.err());
          return CommandLine.ExitCode.SOFTWARE;
        });
    return line.execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    if (list) {
      for (Stage stage : stages) {
        environment
            .out()
            .printf(
                "%-9s about %5s  %s%n",
                stage.name(), Console.clock(stage.expected(deep).toNanos()), stage.description());
      }
      return CommandLine.ExitCode.OK;
    }
    return command().run(stages, List.of());
  }

  private StagesCommand command() {
    if (!Files.exists(environment.checkout().root().resolve("verify.sh"))) {
      throw new UsageException(
          environment.checkout().root() + " is no checkout of Overlay Trie: it has no verify.sh");
    }
    return new StagesCommand(environment, stages, deep, json);
  }

  /** Runs one stage. */
  @Command
  private final class One implements Callable<Integer> {
    private final Stage stage;

    @Parameters(
        paramLabel = "WHAT",
        arity = "0..*",
        description = "Run only this: the names that the stage shows.")
    private final List<String> what = new ArrayList<>();

    One(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Integer call() throws Exception {
      return command().run(List.of(stage), what);
    }
  }

  /** Writes the report again. */
  @Command(
      name = "report",
      description = "Writes the report again from what the stages found last on these sources.")
  private final class Again implements Callable<Integer> {
    @Override
    public Integer call() throws Exception {
      return command().run(List.of(), List.of());
    }
  }
}
