// The files that decide how a check runs: its tests, the configuration of test runners, and the definitions
// of its commands.
import { once } from '../base/once.ts'

/** Returns an expression that matches paths whose last component matches `pattern`. */
const nameOf = (pattern: string) => new RegExp(`(?:^|/)(?:${pattern})$`)

const testDirectory = /(?:^|\/)(?:tests?|specs?|__tests__|__snapshots__|__mocks__)\//
const testFile = once(() =>
  nameOf(
    String.raw`[^/]*[._-](?:test|spec)s?\.[^/]+|[^/]+_test\.[^/]+|[^/]+_spec\.rb|test_[^/]*\.py` +
      String.raw`|(?:test|tests|spec)\.[a-z]+|conftest\.py|[^/]+\.snap`,
  ),
)

/**
 * Matches files that configure only a test runner or a package manager, so that a task may not change them.
 */
const sealedFile = once(() =>
  nameOf(
    String.raw`(?:vitest|jest|mocha|playwright)\.(?:config|workspace)\.[^/]+|\.mocharc(?:\.[^/]+)?` +
      String.raw`|pytest\.ini|tox\.ini|\.npmrc|\.yarnrc(?:\.yml)?|bunfig\.toml|\.rspec`,
  ),
)

/** Matches further files that test runners, and the languages of tests, load by themselves. */
const setupFile = once(() =>
  nameOf(
    String.raw`conftest\.py|(?:site|user)customize\.py|setup\.cfg|pyproject\.toml|noxfile\.py` +
      String.raw`|(?:vite|babel|karma|ava|jasmine)\.config\.[^/]+` +
      String.raw`|\.(?:babelrc|swcrc|nycrc|taprc)(?:\.[^/]+)?` +
      String.raw`|\.pnpmfile\.cjs|\.cargo/config(?:\.toml)?|\.config/nextest\.toml|phpunit\.xml(?:\.dist)?` +
      String.raw`|(?:GNUm|[Mm])akefile|\.?justfile|(?:_?pytest|unittest)(?:\.py|/[^/]+)`,
  ),
)

/** Returns whether a file is a test, a snapshot, or part of a directory of tests. */
const isTestFile = (path: string): boolean => testDirectory.test(path) || testFile().test(path)

/**
 * Returns whether a file configures only a test runner or a package manager. A check is not valid if a task
 * has changed such a file. A new one is missing in the run of the check with the original tests.
 */
export const isSealedFile = (path: string): boolean => sealedFile().test(path)

/**
 * Returns whether a new file could change the result of a check that does not name it, because a test runner
 * loads such files by itself.
 */
export const isSetupFile = (path: string): boolean => sealedFile().test(path) || setupFile().test(path)

/**
 * Returns true if a tracked file is restored to its original content before the second run of a
 * check. `pyproject.toml` and `setup.cfg` are restored only in a directory of tests, because they
 * also have other settings.
 */
export const isOriginalFile = (path: string): boolean =>
  isTestFile(path) || (isSetupFile(path) && !/(?:^|\/)(?:pyproject\.toml|setup\.cfg)$/.test(path))
