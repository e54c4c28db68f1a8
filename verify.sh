#!/usr/bin/env bash
# Finds Java and Maven, builds, and starts the program that checks everything: ./verify.sh --help
# Exit status: 0 all evidence is green, 1 something failed, 2 the arguments or the environment are wrong.
set -u

root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd) || exit 2

refuse() {
  printf 'verify.sh: %s\n' "$1" >&2
  exit 2
}

java=${JAVA_HOME:+$JAVA_HOME/bin/}java
command -v "$java" >/dev/null ||
  refuse "needs a JDK 17 or newer: there is no '$java'. Install one, or set JAVA_HOME."
javac=$(dirname -- "$(readlink -f -- "$(command -v "$java")")")/javac
[ -x "$javac" ] || refuse "needs a JDK: '$java' belongs to a runtime without compiler. Set JAVA_HOME to a JDK 17 or newer."
version=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.specification.version = //p')
[ "${version%%.*}" -ge 17 ] 2>/dev/null || refuse "needs a JDK 17 or newer: '$java' is version ${version:-unknown}. Set JAVA_HOME."

command -v mvn >/dev/null || refuse "needs Maven 3.8 or newer: there is no 'mvn' on the PATH."
maven=$(mvn -v 2>/dev/null | sed -n 's/.*Apache Maven \([0-9][0-9.]*\).*/\1/p')
[ "$(printf '3.8\n%s\n' "$maven" | sort -V | head -n 1)" = 3.8 ] ||
  refuse "needs Maven 3.8 or newer: 'mvn' is version ${maven:-unknown}."

# What only prints a text can do so from an earlier build.
needs_build() {
  [ -f "$root/conformance/target/test-classpath.txt" ] || return 0
  [ -f "$root/conformance/target/classes/org/overlaytrie/conformance/cli/Verify.class" ] || return 0
  for argument in "$@"; do
    case $argument in -h | --help | --list) return 1 ;; esac
  done
  return 0
}

SECONDS=0
if needs_build "$@"; then
  printf 'Building (about 1 minute) ...\n' >&2
  mvn -B -q -Dstyle.color=never -f "$root/pom.xml" -DskipTests package >&2 || {
    printf '\nThe build failed. Again: mvn -B -f "%s" -DskipTests package\n' "$root/pom.xml" >&2
    exit 1
  }
fi

is_terminal() { if [ -t "$1" ]; then echo true; else echo false; fi; }
columns=$(tput cols 2>/dev/null) || columns=80

exec "$java" \
  -Dverify.root="$root" -Dverify.buildSeconds="$SECONDS" -Dverify.columns="$columns" \
  -Dverify.outIsTerminal="$(is_terminal 1)" -Dverify.errIsTerminal="$(is_terminal 2)" \
  -cp "$root/conformance/target/classes:$(cat "$root/conformance/target/test-classpath.txt")" \
  org.overlaytrie.conformance.cli.Verify "$@"
